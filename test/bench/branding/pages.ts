// Pages made by rule, whose look is known: 30 combinations of themes, notations of colors, markup of buttons and logos, fonts and units.

/** A page, and the values that its rules give. Keys are paths in the profile. */
export interface BrandPage {
  readonly html: string
  readonly values: Readonly<Record<string, unknown>>
}

type Rgb = readonly [r: number, g: number, b: number]

const primaries: readonly Rgb[] = [
  [37, 99, 235],
  [220, 38, 38],
  [5, 150, 105],
  [124, 58, 237],
  [234, 88, 12],
  [219, 39, 119],
]
const seconds: readonly Rgb[] = [
  [14, 116, 144],
  [161, 98, 7],
  [79, 70, 229],
  [190, 18, 60],
  [21, 128, 61],
]
const linkColors: readonly Rgb[] = [
  [2, 132, 199],
  [147, 51, 234],
  [22, 101, 52],
]
const families = ['Inter', 'Open Sans', 'Lora', 'Source Serif Pro', 'Roboto'] as const
const headings = ['Playfair Display', 'Montserrat', 'Oswald'] as const
const bodySizes = [15, 16, 17, 18] as const
const radii = [4, 6, 8, 12] as const
const units = [4, 5, 6, 8] as const

const hex = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`.toUpperCase()

/** Notations of CSS for the same color. */
const notations: readonly ((color: Rgb) => string)[] = [
  hex,
  ([r, g, b]) => `rgb(${r}, ${g}, ${b})`,
  ([r, g, b]) => `rgb(${r} ${g} ${b} / 100%)`,
  ([r, g, b]) => `color(srgb ${r / 255} ${g / 255} ${b / 255})`,
]

const words =
  'Our workshop repairs lamps, radios and clocks, and explains each step of the work, so that the next repair is easier. '
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90" height="30" fill="#888"/></svg>'

interface Logo {
  readonly head: string
  readonly markup: string
  /** What the address begins with. */
  readonly url: string
}

/** Ways to name a logo, in the page or only in its data. */
const logos: readonly ((name: string) => Logo)[] = [
  (name) => ({
    head: '',
    markup: `<a href="/"><img class="logo" src="/logo-1.svg" alt="${name} logo" width="90" height="30"></a>`,
    url: '{origin}/logo-1.svg',
  }),
  () => ({ head: '', markup: `<a href="/" class="site-logo">${picture}</a>`, url: 'data:image/svg+xml;utf8,' }),
  () => ({
    head: '<style>.logo{display:block;width:90px;height:30px;background:url(/logo-3.svg) no-repeat}</style>',
    markup: '<a href="/" class="logo" aria-label="Home"></a>',
    url: '{origin}/logo-3.svg',
  }),
  () => ({
    head: `<script type="application/ld+json">${JSON.stringify({
      '@graph': [
        { '@type': 'Product', name: 'Lamp', logo: '/wrong.svg' },
        { '@type': 'Organization', logo: { '@id': '#logo' } },
        { '@id': '#logo', '@type': 'ImageObject', contentUrl: '/logo-4.svg', url: '/wrong.svg' },
      ],
    })}</script>`,
    markup: '<a href="/">Start</a>',
    url: '{origin}/logo-4.svg',
  }),
  () => ({
    head: '<link rel="apple-touch-icon" sizes="60x60" href="/small.png"><link rel="apple-touch-icon" sizes="180x180" href="/logo-5.png">',
    markup: '<a href="/">Start</a>',
    url: '{origin}/logo-5.png',
  }),
]

/** Markup of a button. */
const buttons: readonly ((kind: string, text: string) => string)[] = [
  (kind, text) => `<button class="${kind}">${text}</button>`,
  (kind, text) => `<a class="btn ${kind}" href="/go">${text}</a>`,
  (kind, text) => `<input type="submit" class="${kind}" value="${text}">`,
  (kind, text) => `<div role="button" tabindex="0" class="${kind}">${text}</div>`,
]

/** Returns the page with this number. */
function brandPage(at: number): BrandPage {
  const pick = <Item>(list: readonly Item[], step = 1): Item => list[Math.floor(at / step) % list.length]!
  const isDark = at % 3 === 2
  const name = `Brand ${at}`
  const write = pick(notations)
  const [primary, second, link] = [pick(primaries), pick(seconds), pick(linkColors)]
  const background: Rgb = isDark ? [17, 24, 39] : at % 2 === 0 ? [255, 255, 255] : [250, 247, 242]
  const text: Rgb = isDark ? [229, 231, 235] : [31, 41, 55]
  const muted: Rgb = isDark ? [156, 163, 175] : [107, 114, 128]
  const [family, heading] = [pick(families), pick(headings)]
  const [size, radius, unit] = [pick(bodySizes), pick(radii), pick(units)]
  const logo = pick(logos)(name)
  const button = pick(buttons)
  const usesVariables = at % 4 === 1
  const accent: Rgb = [250, 204, 21]
  const variables = usesVariables
    ? `:root{--color-primary:${write(primary)};--color-accent:${write(accent)};--danger:#b91c1c;--success:#15803d}`
    : ''
  const css = `${variables}*{margin:0}body{background:${write(background)};color:${write(text)};font:${size}px/1.6 "${family}",Arial,sans-serif}
    h1{font:700 ${size * 2}px/1.2 "${heading}",serif;margin-bottom:${unit * 4}px}h2{font:600 ${size + 6}px/1.2 "${heading}",serif;margin-bottom:${unit * 2}px}
    header,footer{padding:${unit * 2}px ${unit * 4}px}main{max-width:${900 + (at % 3) * 100}px;padding:${unit * 4}px}p{margin-bottom:${unit * 3}px}
    a{color:${write(link)}}.muted{color:${write(muted)}}code{font-family:"Fira Code",monospace}
    .main,.other{display:inline-block;border:0;padding:${unit * 2}px ${unit * 4}px;border-radius:${radius}px;font:inherit;text-decoration:none;transition:all 150ms ease-in-out}
    .main{background:${usesVariables ? 'var(--color-primary)' : write(primary)};color:#fff}.other{background:${write(second)};color:#fff}
    input[type=email]{background:#fff;color:#111;border:1px solid #999;border-radius:${radius}px;padding:${unit}px}`
  const top = at % 2 === 0 ? ['header', 'header'] : ['div role="banner"', 'div']
  const html = `<!doctype html><html><head><meta charset="utf-8"><title>${name}: repairs</title><meta property="og:site_name" content="${name}">
    <link rel="icon" href="/icon-${at}.svg">${logo.head}<style>${css}</style></head><body><${top[0]}>${logo.markup} <nav><a href="/a">Repairs</a> <a href="/b">Shop</a></nav></${top[1]}>
    <main><h1>Repairs by ${name}</h1><p>${words.repeat(3)}</p><p class="muted">${words}</p><h2>More</h2><p>${words} Read <a href="/c">how a repair works in our shop</a>. <code>npm run repair</code></p>
    <form>${button('main primary', 'Book a repair')} ${button('other', 'Ask')} <input type="email" placeholder="Mail"></form></main><footer><p>End</p></footer></body></html>`
  return {
    html,
    values: {
      colorScheme: isDark ? 'dark' : 'light',
      brandName: name,
      logo: logo.url,
      'images.logo': logo.url,
      'images.favicon': `{origin}/icon-${at}.svg`,
      'colors.primary': hex(primary),
      'colors.secondary': hex(second),
      ...(usesVariables && { 'colors.accent': hex(accent), 'colors.error': '#B91C1C', 'colors.success': '#15803D' }),
      'colors.background': hex(background),
      'colors.textPrimary': hex(text),
      'colors.textSecondary': hex(muted),
      'colors.link': hex(link),
      'typography.fontFamilies.primary': family,
      'typography.fontFamilies.heading': heading,
      'typography.fontFamilies.code': 'Fira Code',
      'typography.fontSizes.h1': `${size * 2}px`,
      'typography.fontSizes.h2': `${size + 6}px`,
      'typography.fontSizes.body': `${size}px`,
      'typography.lineHeights.body': 1.6,
      'typography.fontWeights.bold': 700,
      'spacing.baseUnit': unit,
      'spacing.borderRadius': `${radius}px`,
      'components.buttonPrimary.background': hex(primary),
      'components.buttonPrimary.textColor': '#FFFFFF',
      'components.buttonPrimary.borderRadius': `${radius}px`,
      'components.buttonSecondary.background': hex(second),
      'components.input.borderColor': '#999999',
      'animations.transitionDuration': '0.15s',
      'layout.grid.maxWidth': `${900 + (at % 3) * 100}px`,
    },
  }
}

/** The 30 pages. */
export const brandPages: readonly BrandPage[] = Array.from({ length: 30 }, (_, at) => brandPage(at))

/** Returns a value of a profile by its path. */
export function valueAt(profile: unknown, path: string): unknown {
  let value = profile
  for (const key of path.split('.')) value = (value as Readonly<Record<string, unknown>> | undefined)?.[key]
  return value
}

/** Returns whether a value is the known one. Addresses of pictures within the page are compared by their beginning. */
export function isRight(given: unknown, known: unknown, origin: string): boolean {
  const value = typeof known === 'string' ? known.replace('{origin}', origin) : known
  if (typeof value === 'string' && value.startsWith('data:'))
    return typeof given === 'string' && given.startsWith(value)
  return given === value
}
