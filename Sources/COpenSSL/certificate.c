// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "COpenSSL.h"

#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "key.h"

// The functions of libcrypto that only a server uses, in a table of their own.
#define MPIN_LIBX509(EACH) \
    EACH(certificate_new, X509_new) \
    EACH(certificate_free, X509_free) \
    EACH(set_version, X509_set_version) \
    EACH(serial, X509_get_serialNumber) \
    EACH(set_number, ASN1_INTEGER_set_uint64) \
    EACH(random, RAND_bytes) \
    EACH(begin, X509_getm_notBefore) \
    EACH(end, X509_getm_notAfter) \
    EACH(set_time, ASN1_TIME_set) \
    EACH(subject, X509_get_subject_name) \
    EACH(issuer, X509_get_issuer_name) \
    EACH(add_name, X509_NAME_add_entry_by_txt) \
    EACH(set_key, X509_set_pubkey) \
    EACH(extension, X509V3_EXT_conf_nid) \
    EACH(extension_free, X509_EXTENSION_free) \
    EACH(add_extension, X509_add_ext) \
    EACH(sign, X509_sign) \
    EACH(encode, i2d_X509) \
    EACH(decode, d2i_X509) \
    EACH(check_host, X509_check_host) \
    EACH(check_address, X509_check_ip_asc) \
    EACH(encode_key, i2d_PrivateKey)

static struct {
    MPIN_LIBX509(MPIN_LIBRARY_MEMBER)
} table;
static struct mpin_library library = {
    .file = "libcrypto.so.3", .names = MPIN_LIBX509(MPIN_LIBRARY_NAME), .table = &table,
    .opening = PTHREAD_MUTEX_INITIALIZER};

// The name of every server as a CA, as in the trust anchor that clients make from its key.
static const char ca_name[] = "M-Pin server";

struct extension {
    int kind;
    const char *value;
};

// The identifier of a key as a CA: the first bytes of the point's x, in hexadecimal, after the DER around it.
static void identify(char *text, const char *prefix, const uint8_t *point) {
    static const char digits[] = "0123456789abcdef";
    text = stpcpy(text, prefix);
    for (int index = 1; index <= 20; index++) {
        *text++ = digits[point[index] >> 4];
        *text++ = digits[point[index] & 15];
    }
    *text = '\0';
}

static int add_extensions(X509 *certificate, const struct extension *extensions, size_t count) {
    for (size_t index = 0; index < count; index++) {
        X509_EXTENSION *extension = table.extension(NULL, NULL, extensions[index].kind, extensions[index].value);
        if (extension == NULL) return 0;
        int good = table.add_extension(certificate, extension, -1);
        table.extension_free(extension);
        if (good != 1) return 0;
    }
    return 1;
}

static int set_name(X509_NAME *name, const char *text) {
    return name && table.add_name(name, "CN", MBSTRING_ASC, (const unsigned char *)text, -1, -1, 0) == 1;
}

static int fill(
    X509 *certificate, const char *subject, EVP_PKEY *key, const struct mpin_validity *validity,
    const struct extension *extensions, size_t count) {
    uint64_t serial = 0;
    return table.set_version(certificate, X509_VERSION_3) == 1
        && table.random((unsigned char *)&serial, sizeof serial) == 1
        && table.set_number(table.serial(certificate), serial >> 1 | 1) == 1
        && table.set_time(table.begin(certificate), validity->from) && table.set_time(table.end(certificate), validity->until)
        && set_name(table.subject(certificate), subject) && set_name(table.issuer(certificate), ca_name)
        && table.set_key(certificate, key) == 1 && add_extensions(certificate, extensions, count);
}

static int make(
    const struct mpin_libcrypto *crypto, EVP_PKEY *signer, const char *subject, EVP_PKEY *key,
    const struct mpin_validity *validity, const struct extension *extensions, size_t count, struct mpin_der *target) {
    X509 *certificate = table.certificate_new();
    target->length = 0;
    if (certificate && fill(certificate, subject, key, validity, extensions, count)
        && table.sign(certificate, signer, crypto->sha256()) > 0) {
        int length = table.encode(certificate, NULL);
        unsigned char *next = target->bytes;
        if (length > 0 && (size_t)length <= sizeof target->bytes && table.encode(certificate, &next) == length)
            target->length = (size_t)length;
    }
    table.certificate_free(certificate);
    return target->length > 0;
}

static int issue(
    const struct mpin_libcrypto *crypto, EVP_PKEY *signer, const uint8_t *point, const char *name,
    const struct mpin_validity *validity, struct mpin_der *certificate, struct mpin_der *secret) {
    char identifier[64];
    identify(identifier, "DER:30168014", point);
    const struct extension extensions[] = {
        {NID_basic_constraints, "critical,CA:FALSE"},
        {NID_key_usage, "critical,digitalSignature"},
        {NID_ext_key_usage, "serverAuth"},
        {NID_subject_alt_name, name},
        {NID_authority_key_identifier, identifier},
    };
    EVP_PKEY *key = crypto->generate(NULL, NULL, "EC", "P-256");
    int good = key != NULL
        && make(crypto, signer, "mpin-server", key, validity, extensions, sizeof extensions / sizeof *extensions,
                certificate);
    if (good) {
        int length = table.encode_key(key, NULL);
        unsigned char *next = secret->bytes;
        good = length > 0 && (size_t)length <= sizeof secret->bytes && table.encode_key(key, &next) == length;
        secret->length = good ? (size_t)length : 0;
    }
    crypto->key_free(key);
    return good;
}

int mpin_certificate_issue(
    const uint8_t *scalar, const uint8_t *point, const char *name, const struct mpin_validity *validity,
    struct mpin_der *certificate, struct mpin_der *secret) {
    const struct mpin_libcrypto *crypto = mpin_libcrypto();
    if (crypto == NULL || mpin_library_open(&library) != 0) return 0;
    EVP_PKEY *signer = mpin_private_key(crypto, scalar);
    int good = signer != NULL && issue(crypto, signer, point, name, validity, certificate, secret);
    crypto->key_free(signer);
    return good;
}

int mpin_certificate_authority(
    const uint8_t *scalar, const uint8_t *point, const char *constraint, const struct mpin_validity *validity,
    struct mpin_der *certificate) {
    const struct mpin_libcrypto *crypto = mpin_libcrypto();
    if (crypto == NULL || mpin_library_open(&library) != 0) return 0;
    char identifier[64];
    identify(identifier, "", point);
    const struct extension extensions[] = {
        {NID_subject_key_identifier, identifier},
        {NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
        {NID_key_usage, "critical,keyCertSign"},
        {NID_ext_key_usage, "serverAuth"},
        {NID_name_constraints, constraint},
    };
    EVP_PKEY *signer = mpin_private_key(crypto, scalar), *key = mpin_public_key(crypto, point);
    int good = signer != NULL && key != NULL
        && make(crypto, signer, ca_name, key, validity, extensions, sizeof extensions / sizeof *extensions,
                certificate);
    crypto->key_free(key);
    crypto->key_free(signer);
    return good;
}

int mpin_certificate_is_for(const uint8_t *der, size_t length, const char *host) {
    if (mpin_library_open(&library) != 0) return 0;
    const unsigned char *next = der;
    X509 *certificate = table.decode(NULL, &next, (long)length);
    if (certificate == NULL) return 0;
    const int is_for =
        table.check_host(certificate, host, 0, 0, NULL) == 1 || table.check_address(certificate, host, 0) == 1;
    table.certificate_free(certificate);
    return is_for;
}
