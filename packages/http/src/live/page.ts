// The page of the live view: one self-contained response that loads nothing but its WebSocket.

export const viewStyle = /* css */ `
:root { color-scheme: light dark; --page: #0f1115; --veil: rgb(15 17 21 / .6); --bar: #1b1e24; --line: #2c313a; --text: #e8eaed; --quiet: #a3afbf; --mark: #4ade80; --warn: #fbbf24; --bad: #f87171; }
@media (prefers-color-scheme: light) { :root { --page: #e4e7ec; --veil: rgb(228 231 236 / .6); --bar: #fff; --line: #d3d8e0; --text: #16191f; --quiet: #566070; --mark: #16a34a; --warn: #b45309; --bad: #b91c1c; } }
* { box-sizing: border-box; }
[hidden], body.watch .act-only { display: none !important; }
html, body { margin: 0; height: 100%; overflow: hidden; background: var(--page); color: var(--text); font: 14px/1.4 system-ui, sans-serif; }
body { display: flex; flex-direction: column; height: 100dvh; }
header { display: flex; gap: 4px; align-items: center; padding: 8px; background: var(--bar); border-bottom: 1px solid var(--line); }
button { display: grid; place-items: center; min-width: 36px; height: 36px; padding: 0; border: 0; border-radius: 8px; background: transparent; color: var(--text); font: inherit; cursor: pointer; }
button[aria-pressed=true] { background: var(--line); }
@media (hover: hover) { button:hover { background: var(--line); } }
:focus-visible { outline: 2px solid #3b82f6; outline-offset: 1px; }
svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
#address { flex: 1; min-width: 0; height: 36px; padding: 0 12px; border: 1px solid var(--line); border-radius: 18px; background: var(--page); color: var(--text); font: inherit; text-overflow: ellipsis; }
#state { display: flex; gap: 6px; align-items: center; padding: 0 8px; color: var(--quiet); white-space: nowrap; }
#state::before { content: ''; width: 9px; height: 9px; border-radius: 50%; background: var(--warn); }
#state[data-state=live]::before { background: var(--mark); }
#state[data-state=over]::before { background: var(--bad); }
#lag { min-width: 7ch; padding-right: 8px; color: var(--quiet); font-variant-numeric: tabular-nums; white-space: nowrap; }
#lag:empty { display: none; }
nav { display: flex; flex: none; gap: 4px; overflow-x: auto; padding: 4px 8px 0; background: var(--bar); border-bottom: 1px solid var(--line); scrollbar-width: none; }
nav:empty { display: none; }
nav button { display: block; flex: 0 1 200px; min-width: 112px; height: 32px; padding: 0 12px; overflow: hidden; font-size: 13px; color: var(--quiet); text-align: left; text-overflow: ellipsis; white-space: nowrap; border-radius: 8px 8px 0 0; }
nav button[aria-selected=true] { background: var(--page); color: var(--text); }
nav button[aria-disabled=true] { background: transparent; cursor: default; }
nav button[aria-disabled=true][aria-selected=true] { background: var(--page); }
#stage { position: relative; flex: 1; display: flex; min-height: 0; }
main { flex: 1; display: grid; place-items: center; min-width: 0; min-height: 0; overflow: hidden; touch-action: pinch-zoom; }
main.large { display: block; overflow: auto; touch-action: pan-x pinch-zoom; }
body.watch main.large { touch-action: auto; }
canvas { display: block; max-width: 100%; max-height: 100%; background: #fff; }
canvas.empty { visibility: hidden; }
canvas:focus-visible { outline-offset: -2px; }
main.large canvas { max-width: none; margin: 0 auto; }
main.large:not(.tall) canvas { max-height: none; }
#keys { position: fixed; left: 0; bottom: 0; width: 1px; height: 1px; padding: 0; border: 0; opacity: 0; font-size: 16px; resize: none; }
#cover { position: absolute; inset: 0; display: grid; place-items: center; padding: 16px; background: var(--veil); backdrop-filter: grayscale(1); }
#card { display: grid; gap: 6px; justify-items: center; max-width: 400px; padding: 20px 28px; border: 1px solid var(--line); border-radius: 12px; background: var(--bar); text-align: center; text-wrap: balance; }
#card strong { font-size: 17px; }
#why { color: var(--quiet); }
#why:empty { display: none; }
#card button { margin-top: 8px; padding: 0 16px; border: 1px solid var(--line); }
#toast { position: absolute; left: 50%; bottom: 16px; transform: translateX(-50%); width: max-content; max-width: 90%; padding: 8px 14px; border-radius: 8px; background: #3b2a12; color: #fde68a; }
#toast:empty { display: none; }
.touch-only { display: none; }
@media (pointer: coarse) { .touch-only { display: grid; } button { min-width: 44px; height: 44px; } nav button { height: 40px; } #address { height: 44px; border-radius: 22px; font-size: 16px; } }
@media (max-width: 560px) {
  body.act header { flex-wrap: wrap; justify-content: space-between; }
  body.act header::before { content: ''; flex: 0 0 100%; order: 2; }
  body.act #address, body.act #state, body.act #lag { order: 1; }
  body.act #address { flex: 1 1 50%; }
  body.act header button { order: 3; }
  main { place-items: start center; }
}
`

const drawing = (paths: string): string => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${paths}"/></svg>`
const button = (id: string, name: string, kind: string, paths: string): string =>
  `<button type="button" id="${id}" class="${kind}" title="${name}" aria-label="${name}">${drawing(paths)}</button>`

const key = 'M6 10h.01M10 10h.01M14 10h.01M18 10h.01M8 14h8'

export const viewBody = /* html */ `<body class="watch"><header>
${button('back', 'Back', 'act-only', 'M19 12H5m6-6-6 6 6 6')}
${button('forward', 'Forward', 'act-only', 'M5 12h14m-6-6 6 6-6 6')}
${button('reload', 'Reload', 'act-only', 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6')}
<input id="address" aria-label="Address" autocomplete="off" autocapitalize="off" spellcheck="false" inputmode="url" enterkeyhint="go" readonly>
${button('keyboard', 'Keyboard', 'act-only touch-only', `M2 6h20v12H2z${key}`)}
${button('paste', 'Paste', 'act-only touch-only', 'M8 4h8v4H8zM16 6h3v14H5V6h3')}
${button('size', 'Larger picture', '', 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14m5-2 5 5M11 8v6M8 11h6')}
<div id="state" role="status"><span>Connecting</span></div><span id="lag"></span></header>
<nav role="tablist" aria-label="Tabs"></nav>
<div id="stage"><main><canvas class="empty" width="1280" height="800" tabindex="0"></canvas></main>
<textarea id="keys" aria-label="What is typed goes to the page" tabindex="-1" autocapitalize="off" autocomplete="off" autocorrect="off" spellcheck="false"></textarea>
<div id="cover"><div id="card"><strong>Connecting</strong><span id="why"></span><button type="button" id="again" hidden>Try now</button></div></div><div id="toast" role="alert"></div></div>`
