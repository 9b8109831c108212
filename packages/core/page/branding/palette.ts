import { backgroundOf, brightness, hex, isNeutral, readColor, type Rgba } from './colors.ts'
import { ownText, shownElements, type Shown } from './elements.ts'
import { Weights } from './weights.ts'

const roles = ['primary', 'secondary', 'accent', 'success', 'warning', 'error'] as const
type Role = (typeof roles)[number]

const words: Readonly<Record<Role, string>> = {
  primary: 'primary|brand|main',
  secondary: 'secondary',
  accent: 'accent|highlight',
  success: 'success|positive',
  warning: 'warning|caution',
  error: 'error|danger|negative',
}

/** Returns the colors of custom properties named by a role, such as `--color-primary`. */
function namedColors(): Partial<Record<Role, string>> {
  const found: Partial<Record<Role, string>> = {}
  const style = getComputedStyle(document.documentElement)
  const names = new Set<string>()
  for (const sheet of document.styleSheets) for (const name of namesIn(sheet)) names.add(name)
  for (const role of roles) {
    const pattern = new RegExp(`^--(?:[a-z]+-)?(?:colou?r-)?(?:${words[role]})(?:-colou?r|-500|-600)?$`, 'i')
    for (const name of names) {
      const color = pattern.test(name) ? readColor(style.getPropertyValue(name)) : undefined
      if (!color || color.a < 0.5) continue
      found[role] = hex(color)
      break
    }
  }
  return found
}

const maxRules = 5_000

/** Returns the names of custom properties in a style sheet. Style sheets of other origins cannot be read. */
function namesIn(sheet: CSSStyleSheet): string[] {
  try {
    return [...sheet.cssRules].slice(0, maxRules).flatMap((rule) => {
      const style = rule instanceof CSSStyleRule && /:root|^html|^body/.test(rule.selectorText) ? rule.style : undefined
      return style ? [...style].filter((name) => name.startsWith('--')) : []
    })
  } catch {
    return []
  }
}

/** Returns the colors of body text and of links, weighted by their number of characters. Excludes buttons and headings. */
function textColors(texts: readonly Shown[]) {
  const plain = new Weights()
  const links = new Weights()
  for (const { element, style } of texts) {
    const color = readColor(style.color)
    if (!color || color.a < 0.3) continue
    const link = element.closest('a[href]')
    const isButton = element.closest('button,[role=button],a[class*=btn i],a[class*=button i],a[class*=cta i]')
    if (isButton) continue
    if (link) links.add(hex(color), ownText(element) * (element.closest('nav,header,footer') ? 0.1 : 1))
    else if (!element.closest('header,nav,footer,pre,code,h1,h2,h3,h4,h5,h6')) plain.add(hex(color), ownText(element))
  }
  return { plain, links }
}

/** Returns the background colors of sections that are not grey, by total area, largest first. */
function areaColors(): string[] {
  const areas = new Weights()
  for (const { style, box } of shownElements('header,nav,main,section,footer,aside,div')) {
    const color = readColor(style.backgroundColor)
    if (color && color.a >= 0.5 && !isNeutral(color)) areas.add(hex(color), box.width * box.height)
  }
  return areas.ranked()
}

function metaColor(): string | undefined {
  const content = document.querySelector('meta[name=theme-color]')?.getAttribute('content')
  const color = content ? readColor(content) : undefined
  return color && !isNeutral(color) ? hex(color) : undefined
}

const colored = (text: string | undefined): string | undefined => {
  const color = text === undefined ? undefined : readColor(text)
  return color && !isNeutral(color) ? text : undefined
}

/** Reads the color palette of a page. `fills` has the button colors, and `picture` is the main color of the logo. */
export function readPalette(
  texts: readonly Shown[],
  fills: readonly (string | undefined)[],
  picture: string | undefined,
) {
  const background: Rgba = backgroundOf(document.body)
  const { plain, links } = textColors(texts)
  const named = namedColors()
  const [textPrimary = hex(readColor(getComputedStyle(document.body).color) ?? { r: 0, g: 0, b: 0, a: 1 })] =
    plain.ranked()
  const textSecondary = plain.ranked().find((color) => color !== textPrimary && plain.share(color) >= 0.03)
  const link = links.ranked()[0]
  const areas = areaColors().filter((color) => color !== hex(background))
  const primary = fills[0] ?? named.primary ?? metaColor() ?? picture ?? areas[0] ?? colored(link)
  const others = [named.secondary, fills[1], ...areas].filter((color) => color && color !== primary)
  const secondary = others[0]
  const accent = [named.accent, ...others.slice(1), colored(link)].find(
    (color) => color && color !== primary && color !== secondary,
  )
  const text = readColor(textPrimary)
  const isDark = text ? brightness(background) < brightness(text) : brightness(background) < 0.5
  const { success, warning, error } = named
  return {
    colorScheme: isDark ? ('dark' as const) : ('light' as const),
    colors: {
      ...{ primary, secondary, accent, background: hex(background), textPrimary, textSecondary, link },
      ...{ success, warning, error },
    },
  }
}
