import { ownText, pixels, type Shown } from './elements.ts'
import { Weights } from './weights.ts'

const generic =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|-apple-system|BlinkMacSystemFont|inherit|initial)$/i

/** Splits a `font-family` value into up to 20 names, without quotes. */
function familiesOf(stack: string): string[] {
  return stack
    .split(',')
    .map((one) =>
      one
        .trim()
        .replace(/^["']|["']$/g, '')
        .slice(0, 100),
    )
    .filter(Boolean)
    .slice(0, 20)
}

/** Returns the first family that is not generic, such as `sans-serif`; otherwise the first one. */
function nameOf(stack: string): string | undefined {
  const families = familiesOf(stack)
  return families.find((family) => !generic.test(family)) ?? families[0]
}

function firstStyle(texts: readonly Shown[], selector: string): CSSStyleDeclaration | undefined {
  return texts.find(({ element }) => element.matches(selector))?.style
}

function weightOf({ fontWeight }: CSSStyleDeclaration): number {
  return Number(fontWeight) || 400
}

/** Returns the line height as a multiple of the font size. */
function lineHeightOf(style: CSSStyleDeclaration | undefined): number | undefined {
  const [height, size] = style ? [pixels(style.lineHeight), pixels(style.fontSize)] : []
  return height && size ? Math.round((height / size) * 100) / 100 : undefined
}

/** Reads fonts, sizes and weights from the elements with text. */
export function readFonts(texts: readonly Shown[]) {
  const stacks = new Weights()
  const sizes = new Weights()
  const weights = new Set<number>()
  for (const { element, style } of texts) {
    const length = ownText(element)
    weights.add(weightOf(style))
    if (element.closest('h1,h2,h3,h4,h5,h6,code,pre,kbd,samp')) continue
    stacks.add(style.fontFamily, length)
    sizes.add(style.fontSize, length)
  }
  const body = stacks.ranked()[0] ?? getComputedStyle(document.body).fontFamily
  const [h1, h2, h3] = ['h1', 'h2', 'h3'].map((name) => firstStyle(texts, name))
  const heading = h1 ?? h2 ?? h3
  const code = firstStyle(texts, 'pre,code,kbd,samp')
  const paragraph = firstStyle(texts, 'p')
  const small = firstStyle(texts, 'small,figcaption,footer p,footer a')
  const primary = nameOf(body)
  const named = [
    ['body', primary],
    ['heading', heading && nameOf(heading.fontFamily)],
    ['code', code && nameOf(code.fontFamily)],
  ] as const
  const list = [...weights].sort((one, other) => one - other)
  const regular = paragraph ? weightOf(paragraph) : 400
  return {
    fonts: named.flatMap(([role, family]) => (family ? [{ family, role }] : [])),
    typography: {
      fontFamilies: { primary, heading: named[1][1], code: named[2][1] },
      fontStacks: {
        primary: familiesOf(body),
        body: familiesOf(body),
        heading: heading && familiesOf(heading.fontFamily),
        paragraph: paragraph && familiesOf(paragraph.fontFamily),
      },
      fontSizes: {
        h1: h1?.fontSize,
        h2: h2?.fontSize,
        h3: h3?.fontSize,
        body: sizes.ranked()[0],
        small: small?.fontSize,
      },
      lineHeights: { heading: lineHeightOf(heading), body: lineHeightOf(paragraph) },
      fontWeights: {
        light: list.find((weight) => weight < 400),
        regular,
        medium: list.find((weight) => weight >= 500 && weight < 700),
        bold: list.find((weight) => weight >= 700),
      },
    },
  }
}
