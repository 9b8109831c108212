import type { KeptReason } from './hidden-text.ts'

/** A page with hidden or collapsed text, and whether it counts as content. */
export interface VisibleCase {
  readonly name: string
  /** HTML for the page's `<head>`. */
  readonly head?: string
  /** HTML of the page. The tested text is a link with the word `zebra`. */
  readonly body: string
  readonly isSeen: boolean
  /** True if a browser window on a desktop, with scripts and all style sheets, does not show it either way. */
  readonly isHiddenInBrowser?: boolean
  /** Why it counts as content although the page hides it at first. */
  readonly kept?: KeptReason
}

const secret = '<a href="/zebra">zebra quartz text of the page that is in question here</a>'
const sheet = (css: string): string => `<style>${css}</style>`
const tabs = '<button onclick="go()" role="tab" aria-controls="p1">One</button>'

const hidden: readonly Omit<VisibleCase, 'isSeen'>[] = [
  { name: 'display none in a style attribute', body: `<div style="display:none">${secret}</div>` },
  {
    name: 'a part that the page declares as free',
    head: '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false,"hasPart":[{"isAccessibleForFree":"True","cssSelector":".free"},{"isAccessibleForFree":false,"cssSelector":".paid"}]}</script>',
    body: `<div class="free" style="display:none">${secret}</div>`,
  },
  {
    name: 'a part of a page that is declared as free',
    head: '<script type="application/ld+json">{"isAccessibleForFree": true, "hasPart": {"cssSelector": ".part"}}</script>',
    body: `<div class="part" style="display:none">${secret}</div>`,
  },
  {
    name: 'a part that a script without JSON-LD declares as paid',
    head: '<script>data = {"isAccessibleForFree":false,"hasPart":{"isAccessibleForFree":false,"cssSelector":".part"}}</script>',
    body: `<div class="part" style="display:none">${secret}</div>`,
  },
  { name: 'display none with odd spelling', body: `<div style="DISPLAY : None !IMPORTANT">${secret}</div>` },
  { name: 'display none after a comment', body: `<div style="color:red;/* x */display:none">${secret}</div>` },
  { name: 'display none by a class', head: sheet('.x{display:none}'), body: `<div class="a x">${secret}</div>` },
  { name: 'display none by an id', head: sheet('#x{display:none}'), body: `<div id="x">${secret}</div>` },
  { name: 'display none by an element name', head: sheet('aside{display:none}'), body: `<aside>${secret}</aside>` },
  {
    name: 'display none by a parent',
    head: sheet('.a > .x{display:none}'),
    body: `<div class="a"><p class="x">${secret}</p></div>`,
  },
  {
    name: 'display none by an attribute',
    head: sheet('[data-x="1"]{display:none}'),
    body: `<p data-x="1">${secret}</p>`,
  },
  {
    name: 'display none by the more specific rule',
    head: sheet('p#x{display:none} .x{display:block}'),
    body: `<p id="x" class="x">${secret}</p>`,
  },
  {
    name: 'display none by the later rule',
    head: sheet('.x{display:block} .y{display:none}'),
    body: `<p class="x y">${secret}</p>`,
  },
  {
    name: 'display none that is important',
    head: sheet('.x{display:none!important}'),
    body: `<p class="x" style="display:block">${secret}</p>`,
  },
  {
    name: 'display none on all screens',
    head: sheet('@media (min-width: 300px){.x{display:none}}'),
    body: `<p class="x">${secret}</p>`,
  },
  {
    name: 'display none by a variable',
    head: sheet(':root{--d:none}.x{display:var(--d)}'),
    body: `<p class="x">${secret}</p>`,
  },
  { name: 'display none in a layer', head: sheet('@layer a{.x{display:none}}'), body: `<p class="x">${secret}</p>` },
  {
    name: 'display none by a class with a colon',
    head: sheet('.a\\:b{display:none}'),
    body: `<p class="a:b">${secret}</p>`,
  },
  { name: 'black on black', head: sheet('a{color:inherit}'), body: `<p style="background:#000">${secret}</p>` },
  {
    name: 'a control whose target is another element',
    body: `<button aria-controls="y">Open</button><p id="y">Text</p><div id="x"><p style="display:none">${secret}</p></div>`,
  },
  { name: 'the hidden attribute', body: `<div hidden>${secret}</div>` },
  { name: 'a closed dialog without a control', body: `<dialog>${secret}</dialog>` },
  { name: 'visibility hidden', body: `<div style="visibility:hidden">${secret}</div>` },
  {
    name: 'visibility hidden on an ancestor',
    body: `<div style="visibility:hidden"><div><b>${secret}</b></div></div>`,
  },
  { name: 'opacity 0', body: `<div style="opacity:0">${secret}</div>` },
  { name: 'opacity of one percent', body: `<div style="opacity:0.01">${secret}</div>` },
  { name: 'far to the left', body: `<div style="position:absolute;left:-9999px">${secret}</div>` },
  { name: 'far above', body: `<div style="position:fixed;top:-200em">${secret}</div>` },
  { name: 'moved away by a transform', body: `<div style="transform:translateX(-9999px)">${secret}</div>` },
  { name: 'moved away by a margin', body: `<div style="margin-left:-9999px">${secret}</div>` },
  { name: 'scaled to nothing', body: `<div style="transform:scale(0)">${secret}</div>` },
  { name: 'zero size', body: `<div style="width:0;height:0;overflow:hidden">${secret}</div>` },
  { name: 'zero height', body: `<div style="height:0;overflow:hidden">${secret}</div>` },
  {
    name: 'clipped as for screen readers',
    head: sheet('.sr-only{position:absolute;width:1px;height:1px;clip:rect(0,0,0,0);overflow:hidden}'),
    body: `<div class="sr-only">${secret}</div>`,
  },
  { name: 'clipped by a path', body: `<div style="clip-path:inset(100%)">${secret}</div>` },
  { name: 'text indent', body: `<div style="text-indent:-9999px">${secret}</div>` },
  { name: 'font size 0', body: `<div style="font-size:0">${secret}</div>` },
  { name: 'font size 1px', body: `<div style="font-size:1px">${secret}</div>` },
  {
    name: 'white on white',
    head: sheet('a{color:inherit}'),
    body: `<div style="color:#fff;background:#ffffff">${secret}</div>`,
  },
  {
    name: 'white on the white of the page',
    head: sheet('a{color:inherit}'),
    body: `<div style="color:white">${secret}</div>`,
  },
  {
    name: 'almost black on black',
    head: sheet('.x{background-color:#000} .x *{color:rgb(1,1,1)}'),
    body: `<div class="x">${secret}</div>`,
  },
  { name: 'transparent text', head: sheet('.x a{color:transparent}'), body: `<div class="x">${secret}</div>` },
  {
    name: 'hidden inside a tab panel',
    body: `${tabs}<div id="p1" role="tabpanel" style="display:none"><p>Panel</p><p style="font-size:0">${secret}</p></div>`,
  },
  {
    name: 'a control that is hidden, too',
    body: `<div hidden><button aria-controls="x">x</button></div><div id="x" hidden>${secret}</div>`,
  },
  { name: 'a control inside', body: `<div id="x" hidden><a href="#x">x</a>${secret}</div>` },
  { name: 'a plain button beside it', body: `<button>Buy</button><div style="display:none">${secret}</div>` },
  {
    name: 'hover of the hidden element itself',
    head: sheet('.x{display:none}.x:hover{display:block}'),
    body: `<div class="x">${secret}</div>`,
  },
]

const seen: readonly Omit<VisibleCase, 'isSeen'>[] = [
  { name: 'a utility name without a rule', body: `<div class="hidden sr-only invisible">${secret}</div>` },
  { name: 'aria-hidden', body: `<div aria-hidden="true">${secret}</div>` },
  { name: 'a rule for print', head: sheet('@media print{.x{display:none}}'), body: `<div class="x">${secret}</div>` },
  {
    name: 'a rule for small screens',
    head: sheet('@media (max-width: 600px){.x{display:none}}'),
    body: `<div class="x">${secret}</div>`,
  },
  {
    name: 'a rule for large screens',
    isHiddenInBrowser: true,
    head: sheet('@media (min-width: 600px){.x{display:none}}'),
    body: `<div class="x">${secret}</div>`,
  },
  {
    name: 'a rule for large screens that overrides one for small screens',
    head: sheet('.x{display:none}@media (min-width: 600px){.x{display:block}}'),
    body: `<div class="x">${secret}</div>`,
  },
  {
    name: 'a sheet for print',
    head: '<style media="print">.x{display:none}</style>',
    body: `<div class="x">${secret}</div>`,
  },
  {
    name: 'a rule that a later one overrides',
    head: sheet('.x{display:none}.x{display:block}'),
    body: `<div class="x">${secret}</div>`,
  },
  {
    name: 'a rule that a style attribute overrides',
    head: sheet('.x{display:none}'),
    body: `<div class="x" style="display:block">${secret}</div>`,
  },
  {
    name: 'a rule in a layer that one outside overrides',
    head: sheet('.x{display:block}@layer a{#x{display:none}}'),
    body: `<div class="x" id="x">${secret}</div>`,
  },
  {
    name: 'a rule for a pseudo-element',
    head: sheet('.x::before{display:none}'),
    body: `<div class="x">${secret}</div>`,
  },
  {
    name: 'a rule for pages without scripts',
    isHiddenInBrowser: true,
    head: `${sheet('.no-js .x{display:none}')}<script>1</script>`,
    body: `<div class="no-js"><div class="x">${secret}</div></div>`,
  },
  {
    name: 'visible inside invisible',
    body: `<div style="visibility:hidden"><div style="visibility:visible">${secret}</div></div>`,
  },
  {
    name: 'text with a size inside one without',
    body: `<div style="font-size:0"><span style="font-size:16px">${secret}</span></div>`,
  },
  {
    name: 'white on a dark background',
    head: sheet('a{color:inherit}'),
    body: `<div style="color:#fff;background:#123">${secret}</div>`,
  },
  {
    name: 'white on a picture',
    head: sheet('a{color:inherit}'),
    body: `<div style="color:#fff;background:url(x.png)">${secret}</div>`,
  },
  {
    name: 'white where other sheets may colour',
    isHiddenInBrowser: true,
    head: `${sheet('a{color:inherit}')}<link rel="stylesheet" href="x.css">`,
    body: `<div style="color:#fff">${secret}</div>`,
  },
  {
    name: 'a tab panel with a tab',
    kept: 'control',
    body: `${tabs}<div id="p1" role="tabpanel" style="display:none">${secret}</div>`,
  },
  {
    name: 'a panel of Bootstrap',
    kept: 'control',
    head: sheet('.collapse:not(.show){display:none}'),
    body: `<button data-bs-toggle="collapse" data-bs-target="#c">More</button><div class="collapse" id="c">${secret}</div>`,
  },
  {
    name: 'a panel with a link to it',
    kept: 'control',
    body: `<ul><li><a href="#t2">Two</a></ul><div id="t2" hidden>${secret}</div>`,
  },
  {
    name: 'an accordion without aria',
    kept: 'control',
    body: `<div><h3 class="accordion-title">Question</h3><div style="display:none">${secret}</div></div>`,
  },
  { name: 'a details element', body: `<details><summary>More</summary>${secret}</details>` },
  {
    name: 'read more after the text',
    kept: 'control',
    body: `<div><span style="display:none">${secret}</span><a href="#">Read more</a></div>`,
  },
  {
    name: 'a menu under the pointer',
    kept: 'control',
    head: sheet('nav ul ul{display:none} nav li:hover > ul{display:block}'),
    body: `<nav><ul><li><a href="/a">A</a><ul><li>${secret}</li></ul></li></ul></nav>`,
  },
  {
    name: 'a checkbox that opens',
    kept: 'control',
    head: sheet('.x{display:none} #c:checked ~ .x{display:block}'),
    body: `<input type="checkbox" id="c"><label for="c">Open</label><div class="x">${secret}</div>`,
  },
  {
    name: 'a dialog with a control',
    kept: 'control',
    body: `<button commandfor="d" command="show-modal">Open</button><dialog id="d">${secret}</dialog>`,
  },
  {
    name: 'a slide of a carousel',
    kept: 'control',
    head: sheet('.slide{display:none}.slide.active{display:block}'),
    body: `<div class="carousel"><div class="slide active">One</div><div class="slide">${secret}</div></div><button class="next">›</button>`,
  },
  { name: 'until found', body: `<div hidden="until-found">${secret}</div>` },
  {
    name: 'shown by an animation',
    kept: 'script',
    head: sheet('.x{opacity:0;animation:in 1s forwards}'),
    body: `<div class="x">${secret}</div>`,
  },
  {
    name: 'shown when scrolled to',
    kept: 'script',
    head: `${sheet('.x{opacity:0;transition:opacity 1s}')}<script>1</script>`,
    body: `<div class="x">${secret}</div>`,
  },
  {
    name: 'hidden until a framework has started',
    kept: 'script',
    head: sheet('[v-cloak]{display:none}'),
    body: `<div v-cloak>${secret}</div>`,
  },
  {
    name: 'faded in by a library',
    kept: 'script',
    head: sheet('[data-aos]{opacity:0}'),
    body: `<div data-aos="fade-up">${secret}</div>`,
  },
  {
    name: 'text for subscribers that the page declares',
    kept: 'paywall',
    head: '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false,"hasPart":{"@type":"WebPageElement","isAccessibleForFree":false,"cssSelector":".paid"}}</script>',
    body: `<div class="paid" style="display:none">${secret}</div>`,
  },
  {
    name: 'the name of a link that shows a picture',
    kept: 'label',
    head: sheet('.sr{position:absolute;width:1px;height:1px;clip:rect(0,0,0,0);overflow:hidden}'),
    body: '<a href="/zebra"><svg><path d="M0 0"/></svg><span class="sr">zebra quartz</span></a>',
  },
  {
    name: 'a popover with a button',
    kept: 'control',
    head: sheet('[popover]{display:none}'),
    body: `<button popovertarget="p">Open</button><div popover id="p">${secret}</div>`,
  },
  {
    name: 'a menu with a toggle',
    kept: 'control',
    body: `<button class="menu-toggle" aria-expanded="false">Menu</button><div style="display:none">${secret}</div>`,
  },
  {
    name: 'a tab panel whose wrapper hides it',
    kept: 'control',
    body: `${tabs}<div hidden><div id="p1">${secret}</div></div>`,
  },
  {
    name: 'a rule for phones and large screens',
    isHiddenInBrowser: true,
    head: sheet('.x{display:none}@media (min-width: 700px) and (max-width: 900px){.x{display:block}}'),
    body: `<div class="x">${secret}</div>`,
  },
  {
    name: 'the panel around the target of a control',
    kept: 'control',
    body: `<button class="accordion-button" aria-controls="p1">One</button><div style="display:none"><i></i><div id="p1">${secret}</div></div>`,
  },
  {
    name: 'one of several answers beside their questions',
    kept: 'script',
    body: `<div><p>Question</p><div class="x" style="visibility:hidden">${secret}</div></div>${['One', 'Two']
      .map((each) => `<div><p>Question</p><div class="x">${each} answer that everybody can see.</div></div>`)
      .join('')}`.replaceAll('class="x">', 'class="x" style="visibility:hidden">'),
  },
  {
    name: 'a class with a colon for large screens',
    head: sheet('.hidden{display:none}@media (min-width: 640px){.sm\\:block{display:block}}'),
    body: `<div class="hidden sm:block">${secret}</div>`,
  },
  {
    name: 'white beside a picture that may be behind it',
    isHiddenInBrowser: true,
    head: sheet('a{color:inherit}'),
    body: `<div><img src="x.png" alt=""><div style="color:#fff">${secret}</div></div>`,
  },
  {
    name: 'a link in its own colour',
    body: `<div style="color:#fff">${secret}</div>`,
  },
  {
    name: 'a box that keeps a ratio',
    body: `<div style="height:0;overflow:hidden;padding-bottom:56%">${secret}</div>`,
  },
]

export const visibleCases: readonly VisibleCase[] = [
  ...hidden.map((each) => ({ ...each, isSeen: false })),
  ...seen.map((each) => ({ ...each, isSeen: true })),
]

/** Names of the cases whose text a browser shows, or lets a visitor open, in a window on a desktop. */
export const seenInBrowser: ReadonlySet<string> = new Set(
  visibleCases.filter(({ isSeen, isHiddenInBrowser }) => isSeen && isHiddenInBrowser !== true).map(({ name }) => name),
)
