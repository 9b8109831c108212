// Pages as publishing systems write them: style sheets of frameworks, nested boxes with many classes, hidden menus, a cookie
// notice, tabs and icons. The same in every run. Main content of such pages costs what it costs on saved pages, step by step:
// `node test/bench/reading-shares.ts <corpus folder>`.
import { dice, madeUpPath, makeWords } from './made-up-pages.ts'

/** Parts of the site with style sheets of their own. More than the engine caches. */
const sections = 40
/** Numbers of rules by section: few sections have large sheets, as on the web. */
const ruleCounts = [700, 30, 10, 180, 20, 0, 320, 15, 60, 10]

const spaces = ['0', '1', '2', '3', '4', '5', '6', '8', '10', '12', '16', '20', '24']
const sides = { p: 'padding', m: 'margin', px: 'padding-left', py: 'padding-top', mx: 'margin-left', my: 'margin-top' }
const breakpoints = { sm: 640, md: 768, lg: 1_024, xl: 1_280 }
const components = 'card hero menu tabs modal badge alert button form table list media panel toast avatar banner'.split(
  ' ',
)
const parts = 'title text body link icon image footer header item label meta action'.split(' ')
const colors = ['#1a202c', '#2d3748', '#4a5568', '#e53e3e', '#3182ce', '#38a169', '#d69e2e', 'rgba(0,0,0,.6)']

const hiding = `.hidden{display:none!important}.invisible{visibility:hidden}.opacity-0{opacity:0}
.sr-only,.visually-hidden{position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap;border:0}
.menu .sub-menu{display:none;position:absolute;left:0;top:100%}.menu li:hover>.sub-menu,.menu li.is-open>.sub-menu{display:block}
.tabs__panel{display:none}.tabs__panel.is-active{display:block}.modal{position:fixed;display:none;inset:0;z-index:50}.modal.show{display:block}
#cookie-notice{position:fixed;bottom:0;display:none}.fade{opacity:0;transition:opacity .3s}.fade.in{opacity:1}
@media (max-width:767px){.md\\:block{display:none}.menu{display:none}}@media print{.menu,.no-print{display:none}}`

function utilityRules(): string[] {
  const rules: string[] = []
  for (const [name, property] of Object.entries(sides))
    for (const space of spaces) rules.push(`.${name}-${space}{${property}:${Number(space) / 4}rem}`)
  for (const display of ['block', 'flex', 'grid', 'inline-block', 'table'])
    rules.push(`.${display}{display:${display}}`)
  for (const [index, color] of colors.entries())
    rules.push(`.text-${index}{color:${color}}`, `.bg-${index}{background-color:${color}}`)
  for (const [name, width] of Object.entries(breakpoints))
    rules.push(
      `@media (min-width:${width}px){${rules
        .slice(0, 40)
        .map((rule) => rule.replace('.', `.${name}\\:`))
        .join('')}}`,
    )
  return rules
}

function componentRule(index: number): string {
  const component = components[index % components.length]
  const part = parts[(index >> 2) % parts.length]
  const state = ['', ':hover', ':focus', '.is-open', ':first-child', '::before', '', ''][index % 8]
  const context = ['', '.page ', '.page .content ', 'body.section-a ', `.theme-${index % 7} `, 'main > '][index % 6]
  const number = index % 11 === 0 ? `-${index % 90}` : ''
  const declarations = [
    `display:flex;align-items:center;width:${index % 100}%;padding:${index % 9}px ${index % 17}px`,
    `color:${colors[index % colors.length]};font-size:${12 + (index % 20)}px;line-height:1.${index % 9}`,
    `position:relative;margin:0 auto ${index % 40}px;max-width:${index * 3}px;overflow:hidden`,
    `background:${colors[index % 6]} url("/img/${index}.svg") no-repeat;border-radius:${index % 8}px`,
    `transition:transform .2s ease,opacity .2s ease;transform:translateY(${index % 30}px)`,
  ]
  const more = index % 5 === 0 ? `,.${component}--wide .${component}__${part} a${state}` : ''
  return `${context}.${component}${number}__${part}${state}${more}{${declarations[index % declarations.length]}}`
}

function sheetOf(section: number): string {
  const count = ruleCounts[section % ruleCounts.length]!
  if (count === 0) return ''
  const own = `.section-${section} .hero{min-height:${section}px}`
  const utilities = count > 300 ? utilityRules() : []
  return [
    hiding,
    own,
    ...utilities,
    ...Array.from({ length: count }, (_, index) => componentRule(index * 7 + section)),
  ].join('\n')
}

const sheets = new Map<number, string>()
function cachedSheet(section: number): string {
  const found = sheets.get(section) ?? sheetOf(section)
  sheets.set(section, found)
  return found
}

/** Returns the page of a number, of `pages` in all. Each can be reached from the first over links. */
export function styledPage(number: number, pages: number): string {
  const roll = dice(number + 7)
  const { word, sentence } = makeWords(roll)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)]!
  const makeClasses = (): string => {
    const utilities = Array.from(
      { length: 1 + Math.floor(roll() * 4) },
      () => `${pick(Object.keys(sides))}-${pick(spaces)}`,
    )
    const component = pick(components)
    return [`${component}__${pick(parts)}`, pick(['', 'flex', 'md:block', 'block']), ...utilities]
      .filter(Boolean)
      .join(' ')
  }
  // Elements of one kind have the same classes.
  const lists = Array.from({ length: 30 }, makeClasses)
  const classes = (): string => pick(lists)
  const below = Array.from({ length: 60 }, (_, index) => number * 60 + index + 1).filter((to) => to < pages)
  const to = [...below, ...Array.from({ length: 90 - below.length }, () => Math.floor(roll() * pages))]
  const anchor = (index: number, inner = sentence(3)): string =>
    `<a class="${classes()}" href="${madeUpPath(to[index % to.length]!)}" data-track="nav-${index}" aria-label="${word()}">${inner}</a>`
  const icon = `<svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 0l4 4-4 4z"></path></svg>`
  const box = (inner: string, depth: number): string =>
    depth === 0 ? inner : `<div class="${classes()}">${box(inner, depth - 1)}</div>`
  const menuItem = (index: number): string =>
    `<li class="menu__item">${anchor(index)}${icon}<ul class="sub-menu" aria-hidden="true">${[1, 2, 3, 4]
      .map((step) => `<li>${anchor(index + step * 7)}</li>`)
      .join('')}</ul></li>`
  const card = (index: number): string =>
    box(
      `<article class="card ${classes()}" data-id="${index}"><img class="card__image" loading="lazy" alt="${word()}" src="/img/${index}.jpg" srcset="/img/${index}-1.jpg 320w, /img/${index}-2.jpg 640w, /img/${index}-3.jpg 1280w"><h3 class="card__title">${anchor(index)}</h3><p class="card__text" style="margin-top:${index % 9}px">${sentence(16)}</p>${index % 6 === 0 ? `<span class="sr-only">${sentence(3)}</span>` : ''}</article>`,
      2 + (index % 3),
    )
  const paragraph = (index: number): string =>
    `${index % 5 === 0 ? `<h2 id="s${index}" class="${classes()}">${sentence(5)}</h2>` : ''}<p>${sentence(34)} <strong>${word()}</strong> ${index % 3 === 0 ? anchor(index) : ''} ${sentence(22)}</p>`
  const panel = (index: number): string =>
    `<div class="tabs__panel${index === 0 ? ' is-active' : ''}" role="tabpanel" id="panel-${index}"><p>${sentence(30)}</p></div>`
  const tabs = `<div class="tabs"><div role="tablist">${[0, 1, 2].map((index) => `<button role="tab" aria-controls="panel-${index}">${word()}</button>`).join('')}</div>${[0, 1, 2].map(panel).join('')}</div>`
  const list = (count: number, make: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => make(index)).join('\n')
  const section = number % sections
  const title = `Article ${number} ${sentence(3)}`
  const properties =
    'title description site_name type url image image_alt locale updated_time published_time section author tag app_id pages see_also video audio determiner card site creator label data'.split(
      ' ',
    )
  const meta = properties
    .map(
      (name) =>
        `<meta property="og:${name}" content="${sentence(6)}"><meta name="twitter:${name}" content="${sentence(5)}">`,
    )
    .join('\n')
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: title,
    author: { '@type': 'Person', name: word() },
    datePublished: '2026-03-01',
    keywords: sentence(300),
  }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${meta}
<link rel="stylesheet" href="/theme.css"><link rel="canonical" href="${madeUpPath(number)}"><style>${cachedSheet(section)}</style>
<script type="application/ld+json">${JSON.stringify(data)}</script><script>window.dataLayer=[];${`track("${word()}");`.repeat(2_400)}</script></head>
<body class="page section-${section} theme-${section % 7}"><a class="sr-only" href="#main">${sentence(3)}</a>
<header class="${classes()}">${box(`<nav class="menu"><ul>${list(14, menuItem)}</ul></nav>`, 3)}</header>
${box(`<main id="main" class="content"><article class="${classes()}"><h1>${title}</h1>${list(44, paragraph)}${tabs}</article><aside class="${classes()}">${list(36, card)}</aside></main>`, 3)}
<div id="cookie-notice" role="dialog"><p>${sentence(30)}</p><button class="button">${word()}</button></div>
<div class="modal fade" id="subscribe"><div class="modal__body"><h2>${sentence(4)}</h2><form><input type="email" name="mail"></form></div></div>
<footer class="${classes()}">${list(4, (index) => box(`<ul>${list(6, (item) => `<li>${anchor(index * 9 + item)}</li>`)}</ul>`, 2))}</footer></body></html>`
}
