extension Field {
    /// 1/a; 0 for 0.
    package var inverse: Field { inverseByPower }
}
