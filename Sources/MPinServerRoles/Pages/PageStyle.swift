// SPDX-License-Identifier: Apache-2.0

/// The style of the pages, light or dark like the reader's system.
enum PageStyle {
    static let text = """
        :root {
            color-scheme: light dark;
            --ground: #f3f5f8; --card: #ffffff; --edge: #d5dae1; --text: #1a1d21; --quiet: #4c5561;
            --accent: #1b57b0; --on-accent: #ffffff; --number: #eaf0f9; --alarm: #b3261e;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --ground: #121518; --card: #1c2024; --edge: #3a4149; --text: #e9ebee; --quiet: #aab2bc;
                --accent: #8db6f7; --on-accent: #0f1419; --number: #262d36; --alarm: #f2b8b5;
            }
        }
        *, *::before, *::after { box-sizing: border-box; }
        [hidden] { display: none !important; }
        body {
            margin: 0; padding: 1rem; min-height: 100vh; display: flex; flex-direction: column; align-items: center;
            justify-content: center; background: var(--ground); color: var(--text);
            font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
        }
        main {
            width: 100%; max-width: 38rem; padding: clamp(1.1rem, 5vw, 2.25rem); background: var(--card);
            border: 1px solid var(--edge); border-radius: 14px; overflow-wrap: break-word;
        }
        h1 { margin: 0 0 1.25rem; font-size: 1rem; font-weight: 600; color: var(--quiet); }
        h2, h1.title {
            margin: 0 0 .5rem; font-size: clamp(1.2rem, 5.5vw, 1.5rem); line-height: 1.25; color: var(--text);
        }
        h2:focus { outline: none; }
        p { margin: .5rem 0; }
        .quiet { color: var(--quiet); font-size: .9375rem; }
        .columns { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: center; margin: .5rem 0 1rem; }
        .columns > div { flex: 1 1 15rem; min-width: 0; }
        #number {
            margin: .6rem 0; padding: .35rem .5rem; border-radius: 10px; background: var(--number); text-align: center;
            font-size: clamp(1.9rem, 11vw, 2.6rem); font-weight: 650; line-height: 1.3; letter-spacing: .04em;
            font-variant-numeric: tabular-nums; white-space: nowrap;
        }
        progress {
            display: block; width: 100%; height: 5px; border: 0; border-radius: 3px; background: var(--edge);
            appearance: none; overflow: hidden;
        }
        progress::-webkit-progress-bar { background: var(--edge); }
        progress::-webkit-progress-value { background: var(--accent); }
        progress::-moz-progress-bar { background: var(--accent); }
        figure { margin: 0 auto; text-align: center; }
        figcaption { margin-top: .4rem; }
        figure img { display: block; margin: 0 auto; width: 11.5rem; height: 11.5rem; max-width: 100%; border-radius: 10px; }
        code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; color: var(--text); }
        /* On one line, on phones too. */
        .command { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .6rem; }
        .command code { font-size: min(.9375rem, 4.2vw); white-space: nowrap; }
        button {
            min-height: 2.75rem; margin: .75rem 0 .25rem; padding: .5rem 1.2rem; border: 0; border-radius: 10px;
            background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer;
        }
        button.small {
            min-height: 2rem; margin: 0; padding: .15rem .7rem; border: 1px solid var(--edge); background: none;
            color: var(--accent); font-size: .875rem;
        }
        button:hover { filter: brightness(1.08); }
        button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
        button[disabled] { opacity: .6; cursor: default; }
        #waiting.stale .columns, #waiting.stale .command { opacity: .35; filter: grayscale(1); }
        #waiting.stale #number { text-decoration: line-through; }
        #status { min-height: 1.5em; margin: 0 0 1rem; font-weight: 500; }
        #stopped-title { color: var(--alarm); }
        #status.alarm { padding: .5rem .75rem; border-left: 4px solid var(--alarm); background: var(--number); }
        #status:empty { min-height: 0; margin: 0; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0; }
        dt { color: var(--quiet); }
        dd { margin: 0; }
        /* A device that shows the page cannot scan itself. */
        @media (pointer: coarse) and (max-width: 34rem) { #scan { display: none; } }
        @media (forced-colors: active) { main, #number { border: 1px solid CanvasText; } }

        """
}
