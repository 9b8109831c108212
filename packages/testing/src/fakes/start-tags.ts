/** The start tag of an element, with the details that a fake browser needs. */
export interface StartTag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const startTag = /<([a-z][\w-]*)((?:\s+[\w:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*\/?>/gi
const attribute = /([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g
const simple = /^([a-z][\w-]*)?((?:#[\w-]+|\.[\w-]+|\[[\w-]+(?:="[^"]*")?\])*)$/i
const condition = /#([\w-]+)|\.([\w-]+)|\[([\w-]+)(?:="([^"]*)")?\]/g

/**
 * Returns the elements that match a selector without spaces: `a`, `#id`, `.class`, `[name="value"]`, and combinations
 * of these. Throws for other selectors. Empty if nothing matches.
 */
export function findTags(html: string, selector: string): readonly StartTag[] {
  const [, name = '', rest = ''] = simple.exec(selector) ?? []
  if (name + rest === '') throw new Error(`A fake browser does not know the selector "${selector}".`)
  const conditions = [...rest.matchAll(condition)]
  return tagsOf(html).filter(
    (tag) => (name === '' || tag.name === name.toLowerCase()) && conditions.every((one) => isMet(tag, one)),
  )
}

/** Returns the title of a page; empty without one. */
export function titleOf(html: string): string {
  return /<title>([^<]*)/i.exec(html)?.[1] ?? ''
}

function tagsOf(html: string): readonly StartTag[] {
  return [...html.matchAll(startTag)].map(([, name = '', rest = '']) => ({
    name: name.toLowerCase(),
    attributes: Object.fromEntries(
      [...rest.matchAll(attribute)].map(([, key = '', one, two, three]) => [
        key.toLowerCase(),
        one ?? two ?? three ?? '',
      ]),
    ),
  }))
}

function isMet({ attributes }: StartTag, [, id, className, name, value]: RegExpMatchArray): boolean {
  if (id !== undefined) return attributes['id'] === id
  if (className !== undefined) return (attributes['class'] ?? '').split(/\s+/).includes(className)
  const found = attributes[name ?? '']
  return found !== undefined && (value === undefined || found === value)
}
