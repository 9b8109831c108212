import { elementsOf, lineOf, parseHtml, textOf } from '@harvestman/html/internal'

// Text of a picture is short; the rest are drawings.
const maxParagraphs = 10_000

const withText: ReadonlySet<string> = new Set(['title', 'desc', 'text'])

/** Returns the text of an SVG: its title, its description and the text it shows, each as a paragraph. */
export function svgText(bytes: Uint8Array): string[] {
  const { root } = parseHtml(new TextDecoder().decode(bytes))
  return elementsOf(root)
    .filter(({ name }) => withText.has(name))
    .slice(0, maxParagraphs)
    .map((element) => lineOf(textOf(element)))
    .filter((text) => text !== '')
}
