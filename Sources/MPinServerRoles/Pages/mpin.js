// SPDX-License-Identifier: Apache-2.0

// The script of the sign-in page. It inserts texts from the server only as text.
'use strict';
(function () {
    const pollVisible = 1500, pollHidden = 4000, sessionPoll = 4000, patience = 10000;
    const byId = (id) => document.getElementById(id);
    const waiting = byId('waiting'), signedIn = byId('signed-in'), stopped = byId('stopped');
    const again = byId('again'), signOut = byId('sign-out'), copy = byId('copy');
    const unreachable = 'The server cannot be reached. This page will try again.';
    // The session that waits: { number, webOTT, seconds, ends }.
    let session = null;
    // The status text until something happens: why the page shows this number.
    let reason = '';
    let identity = null;
    let busy = false;
    let timer = 0;
    let ticker = 0;

    // Each answer is { status, body, retryAfter }; a server that cannot be reached has status 0.
    async function ask(method, path, message) {
        const abort = new AbortController();
        const alarm = setTimeout(() => abort.abort(), patience);
        try {
            const answer = await fetch(path, {
                method, cache: 'no-store', credentials: 'same-origin', redirect: 'error',
                referrerPolicy: 'no-referrer', signal: abort.signal,
                headers: message === undefined
                    ? {} : { 'Content-Type': 'application/json', 'X-Requested-With': 'mpin' },
                body: message === undefined ? undefined : JSON.stringify(message),
            });
            const body = await answer.json().catch(() => ({}));
            const retryAfter = Number(answer.headers.get('Retry-After')) || 0;
            return { status: answer.status, body: body || {}, retryAfter };
        } catch {
            return { status: 0, body: {}, retryAfter: 0 };
        } finally {
            clearTimeout(alarm);
        }
    }

    // Shows a text once, because screen readers read a repeated text aloud again.
    function say(text, name) {
        const status = byId('status');
        status.classList.remove('alarm');
        const whole = name === undefined ? text : name + text;
        if (status.dataset.said === whole) return;
        status.dataset.said = whole;
        status.textContent = '';
        if (name !== undefined) {
            const isolated = document.createElement('bdi');
            isolated.textContent = name;
            status.append(isolated);
        }
        status.append(text);
    }

    // Shows a problem with the server, and grays out the number.
    function warn(text) {
        say(text);
        byId('status').classList.add('alarm');
        waiting.classList.add('stale');
    }

    // Lets a long name wrap after punctuation only.
    function spell(name, element) {
        element.textContent = '';
        for (const part of name.match(/[^@._+-]*[@._+-]|[^@._+-]+/g) || []) {
            if (element.childNodes.length) element.append(document.createElement('wbr'));
            element.append(part);
        }
    }

    function later(step, milliseconds) {
        clearTimeout(timer);
        timer = setTimeout(step, milliseconds);
    }

    function show(section) {
        // A hidden element loses the focus, and keyboard users would have to start at the top again.
        const wasOnButton = document.activeElement === again;
        for (const each of [waiting, signedIn, stopped]) {
            each.hidden = byId(each.id + '-title').hidden = each !== section;
        }
        if (wasOnButton && section !== stopped) byId(section.id + '-title').focus();
    }

    // Shows why there is no number, and the button that asks for one.
    function stop(title, text) {
        session = null;
        stopTicking();
        byId('stopped-title').textContent = title;
        show(stopped);
        warn(text);
    }

    // What a response with another status than 200 means. A proxy answers 502 or 504 while the server is down.
    function trouble(status) {
        if (status === 429 || status === 503) return 'The server is busy. This page will try again.';
        if (status === 0 || status === 502 || status === 504) return unreachable;
        return 'The server reports an error (' + status + '). This page will try again.';
    }

    function stopTicking() {
        clearInterval(ticker);
        ticker = 0;
    }

    function tick() {
        if (!session) return stopTicking();
        const left = Math.max(0, Math.ceil((session.ends - performance.now()) / 1000));
        byId('bar').value = left / session.seconds;
        const seconds = String(left % 60).padStart(2, '0');
        byId('left').textContent = 'Valid for ' + Math.floor(left / 60) + ':' + seconds;
    }

    function fail(text, retryAfter) {
        stop('You cannot sign in at the moment', text);
        if (!document.hidden) later(takeNumber, Math.max(10, retryAfter) * 1000);
    }

    async function takeNumber(why) {
        clearTimeout(timer);
        const answer = await ask('POST', 'rps/getAccessNumber', {});
        const { accessNumber: number, webOTT, ttlSeconds } = answer.body;
        if (answer.status === 429 || answer.status === 503) {
            return fail('Too many sign-ins are waiting. This page will try again.', answer.retryAfter);
        }
        if (answer.status !== 200 || typeof number !== 'string' || !/^\d{4,12}$/.test(number)
            || typeof webOTT !== 'string' || !(ttlSeconds > 0)) {
            return fail(answer.status === 200 ? unreachable : trouble(answer.status), answer.retryAfter);
        }
        const isFirst = waiting.hidden;
        session = { number, webOTT, seconds: ttlSeconds, ends: performance.now() + ttlSeconds * 1000 };
        waiting.classList.remove('stale');
        byId('number').textContent = number.slice(0, 3) + '\u00a0' + number.slice(3);
        byId('command').textContent = 'mpin-enroll approve ' + number;
        byId('scan').hidden = true;
        byId('symbol').src = 'qr.svg?number=' + number;
        show(waiting);
        reason = typeof why === 'string' ? why : isFirst ? 'Waiting for your device.' : 'There is a new number.';
        say(reason);
        stopTicking();
        ticker = setInterval(tick, 1000);
        tick();
        later(poll, pollVisible);
    }

    async function poll() {
        const current = session;
        if (!current) return;
        // A request from before the last change is still in transit.
        if (busy) return later(poll, pollVisible);
        const isOver = performance.now() >= current.ends + 1000;
        // A hidden page keeps its number, but gets no other one.
        if (isOver && document.hidden) return;
        busy = true;
        const answer = await ask('POST', 'rps/access', { webOTT: current.webOTT });
        busy = false;
        if (session !== current) return;
        const { status, userId, authOTT, denied } = answer.body;
        if (answer.status === 200) waiting.classList.remove('stale');
        if (answer.status !== 200) warn(trouble(answer.status));
        else if (status === 'authenticate') return enter(authOTT);
        else if (status === 'expired' && denied === true) return refuse();
        else if (status === 'expired') return document.hidden ? undefined : takeNumber();
        else if (status === 'user' && userId) say(' is about to sign in here.', userId);
        else if (status === 'wid') say('A device is looking at this request.');
        else if (status === 'new') say(reason);
        const pause = document.hidden ? pollHidden : pollVisible;
        later(poll, Math.max(pause, answer.retryAfter * 1000));
    }

    // The sign-in was rejected on a device. The page takes another number only if the user asks for one.
    function refuse() {
        stop('Sign-in rejected', 'A device rejected this sign-in request.');
    }

    async function enter(authOTT) {
        session = null;
        stopTicking();
        say('Signing in.');
        const answer = await ask('POST', 'mpinAuthenticate', { mpinResponse: { authOTT } });
        if (answer.status === 200 && typeof answer.body.userId === 'string') {
            const details = await ask('GET', 'session');
            welcome(details.body.userId === answer.body.userId ? details.body : answer.body);
        } else if (answer.status === 410 || answer.status === 403) {
            takeNumber('The server refused this sign-in. There is a new number.');
        }
        else takeNumber('This sign-in came too late. There is a new number.');
    }

    // Fills a row of the list, or hides it if the text is empty.
    function fill(id, text) {
        const row = byId(id);
        row.textContent = text;
        row.hidden = row.previousElementSibling.hidden = !text;
    }

    function welcome(details) {
        session = null;
        stopTicking();
        identity = String(details.userId);
        spell(identity, byId('user'));
        fill('device', details.deviceName || '');
        const opened = new Date(details.created * 1000);
        fill('since', details.created > 0
            ? opened.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }) : '');
        signOut.disabled = false;
        show(signedIn);
        say('');
        byId('signed-in-title').focus();
        later(watch, sessionPoll);
    }

    async function watch() {
        if (identity === null || document.hidden) return;
        if (busy) return later(watch, sessionPoll);
        busy = true;
        const answer = await ask('GET', 'session');
        busy = false;
        if (identity === null) return;
        if (answer.status === 401) return leave('You were signed out.');
        if (answer.status === 200 && answer.body.userId !== identity) return welcome(answer.body);
        if (answer.status === 200) say('');
        else warn(trouble(answer.status));
        later(watch, Math.max(sessionPoll, answer.retryAfter * 1000));
    }

    async function leave(why) {
        identity = null;
        byId('user').textContent = '';
        await takeNumber(why);
        (waiting.hidden ? again : byId('waiting-title')).focus();
    }

    signOut.addEventListener('click', async () => {
        signOut.disabled = true;
        clearTimeout(timer);
        const answer = await ask('POST', 'logout', {});
        if (answer.status === 200 || answer.status === 401) return leave('You are signed out.');
        signOut.disabled = false;
        warn('Signing out failed: the server cannot be reached. You are still signed in.');
        later(watch, sessionPoll);
    });

    // Browsers offer the clipboard to secure pages only.
    copy.hidden = !navigator.clipboard;
    copy.addEventListener('click', async () => {
        const isCopied = await navigator.clipboard.writeText(byId('command').textContent)
            .then(() => true, () => false);
        copy.textContent = isCopied ? 'Copied' : 'Not copied';
        setTimeout(() => { copy.textContent = 'Copy'; }, 2000);
    });
    again.addEventListener('click', () => takeNumber());
    byId('symbol').addEventListener('load', () => { byId('scan').hidden = false; });
    byId('symbol').addEventListener('error', () => { byId('scan').hidden = true; });

    document.addEventListener('visibilitychange', () => {
        if (document.hidden) return;
        if (identity !== null) watch();
        else if (session) poll();
        else if (!stopped.hidden) takeNumber();
    });
    // A page that the browser restores from memory may be outdated.
    window.addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });

    (async () => {
        byId('status').dataset.said = '';
        const answer = await ask('GET', 'session');
        if (answer.status === 200 && typeof answer.body.userId === 'string') welcome(answer.body);
        else takeNumber();
    })();
})();
