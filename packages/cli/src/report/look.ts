// Style and script of a report. Both are allowed by hash; the policy blocks everything else.

export const style = `:root{color-scheme:light dark;--bg:#fff;--soft:#f5f7fa;--text:#1a2230;--muted:#566173;--hair:#dde3ea;--ok:#2e9e8f;--moved:#1f4e9e;--refused:#b07400;--broken:#9e1b1b;--ok-t:#1c7468;--refused-t:#8a5a00;--series:#1d5fa8;--link:#0b5cad}
@media (prefers-color-scheme:dark){:root{--bg:#10151c;--soft:#19212b;--text:#e8edf4;--muted:#a3afbf;--hair:#2a3441;--ok:#338f80;--moved:#8ab8ff;--refused:#f5b83d;--broken:#e5484d;--ok-t:#4fb3a3;--refused-t:#f5b83d;--series:#5aa9f0;--link:#6cb6ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1128px;padding:24px;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;display:grid;gap:24px}
h1{font-size:24px;line-height:1.25;margin:0;overflow-wrap:anywhere}h2{font-size:17px;margin:0 0 12px}p{margin:0}
a{color:var(--link)}
.muted,figcaption{color:var(--muted)}figcaption{font-size:13px}figcaption b{color:var(--text)}
.tiles{display:flex;flex-wrap:wrap;gap:12px}.tiles div{border:1px solid var(--hair);border-radius:6px;padding:12px 16px;min-width:120px;flex:1}
.tiles b{display:block;font-size:20px;line-height:1.25;font-variant-numeric:tabular-nums}.tiles span{font-size:13px;color:var(--muted)}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:24px}
figure{margin:0;display:grid;gap:8px;align-content:start;min-width:0}.plots figure,.wide{border:1px solid var(--hair);border-radius:6px;padding:16px}
main{display:grid;gap:24px;min-width:0}main>*{min-width:0}section>h2:not(:first-child){margin-top:12px}
svg{width:100%;height:auto;display:block}.shares svg{height:16px;border-radius:4px}
svg text{fill:var(--muted);font:12px system-ui,'DejaVu Sans',sans-serif}svg text.n{fill:var(--text)}
.g{stroke:var(--hair)}.m{stroke:var(--text);stroke-dasharray:3 3}.f{fill:var(--soft);stroke:var(--hair)}
rect.ok{fill:var(--ok)}rect.moved{fill:var(--moved)}rect.refused{fill:var(--refused)}rect.broken{fill:var(--broken)}rect.series{fill:var(--series)}
.s{font-weight:600;white-space:nowrap;margin-right:12px}.s.ok{color:var(--ok-t)}.s.moved{color:var(--moved)}.s.refused{color:var(--refused-t)}.s.broken{color:var(--broken)}
summary{cursor:pointer;font-size:13px;color:var(--muted)}
table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:6px 8px;border-bottom:1px solid var(--hair);vertical-align:top;overflow-wrap:anywhere}
thead th{position:sticky;top:0;background:var(--bg);white-space:nowrap}thead button{all:unset;cursor:pointer;font-weight:600}thead button:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.pages :is(td,th):nth-child(n+4){text-align:right;white-space:nowrap}.pages td:first-child{white-space:nowrap}
.scroll{overflow:auto;max-height:80vh;border:1px solid var(--hair);border-radius:6px}
li{overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--soft);padding:12px;border-radius:6px;font-size:13px;margin:8px 0 0}
.wide{overflow-x:auto}.wide svg{min-width:640px}
footer{font-size:13px;color:var(--muted)}
@media (max-width:640px){body{padding:16px}.pages :is(td,th):is(:nth-child(3),:nth-child(6)){display:none}}
@media print{.scroll{max-height:none;overflow:visible;border:0}thead th{position:static}body{max-width:none}}`

/** Sorts the page table by the column whose header is pressed. Without scripts the report keeps the order of the crawl. */
export const script = `const head=document.querySelector('.pages thead');
head?.querySelectorAll('th').forEach((th,i)=>{const b=document.createElement('button');b.textContent=th.textContent;th.replaceChildren(b);b.onclick=()=>{
const up=th.ariaSort!=='ascending';head.querySelectorAll('th').forEach(o=>o.removeAttribute('aria-sort'));th.ariaSort=up?'ascending':'descending';
const body=head.parentElement.tBodies[0];const key=r=>{const c=r.cells[i];const v=c.dataset.v??c.textContent;return v===''?-1:isNaN(v)?v:Number(v)};
body.append(...[...body.rows].sort((a,b)=>{const x=key(a),y=key(b);return(x<y?-1:x>y?1:0)*(up?1:-1)}))}})`
