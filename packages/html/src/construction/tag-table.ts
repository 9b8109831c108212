// Tree construction data for each tag, from chapter 13.2.6 of the HTML standard. One row per group.
import { nameReader } from '../tokens/names.ts'

/** How a tag is handled in `body`. `start-tags.ts` and `end-tags.ts` have one rule for each kind. */
export type Kind =
  | 'ordinary'
  | 'html'
  | 'head'
  | 'body'
  | 'metadata'
  | 'template'
  | 'block'
  | 'heading'
  | 'pre'
  | 'form'
  | 'list item'
  | 'definition'
  | 'paragraph'
  | 'plaintext'
  | 'button'
  | 'anchor'
  | 'formatting'
  | 'nobr'
  | 'object'
  | 'noscript'
  | 'table'
  | 'table part'
  | 'void'
  | 'input'
  | 'image'
  | 'bare void'
  | 'rule'
  | 'text area'
  | 'raw block'
  | 'raw inline'
  | 'select'
  | 'option'
  | 'ruby base'
  | 'ruby text'
  | 'break'
  | 'foreign root'

export interface Tag {
  readonly name: string
  readonly kind: Kind
  /** Index of its rule in arrays ordered like `kinds`. */
  readonly rule: number
  readonly flags: number
}

/** End tags of other names do not close elements outside it. */
export const SPECIAL = 1
/** Ends every scope: tags inside close nothing outside. */
export const SCOPE = 2
export const LIST_SCOPE = 4
export const BUTTON_SCOPE = 8
export const TABLE_SCOPE = 16
/** Its end tag is optional. */
export const IMPLIED_END = 32
/** Contains only raw text, without tags. */
export const RAW = 128
export const HEADING = 256
/** In SVG or MathML. */
export const FOREIGN = 512
export const MATH = 1024
/** A foreign element with HTML content (HTML integration point). */
export const HTML_POINT = 2048
/** A foreign element whose text is HTML (MathML text integration point). */
export const TEXT_POINT = 4096
/** A start tag that closes SVG and MathML elements around it. */
export const BREAKOUT = 8192
/** Text and blocks directly inside are moved before the table (foster parenting). */
export const FOSTERS = 16384
export const BODY_CONTEXT = 32768
export const ROW_CONTEXT = 65536
/** A table's section, row or cell: closed by implication at the end of a template. */
export const IMPLIED_IN_TEMPLATE = 131072
export const PARAGRAPH = 262144

const rows: readonly (readonly [kind: Kind, flags: number, names: string])[] = [
  ['html', SPECIAL | SCOPE | TABLE_SCOPE | BODY_CONTEXT | ROW_CONTEXT, 'html'],
  ['head', SPECIAL | BREAKOUT, 'head'],
  ['body', SPECIAL | BREAKOUT, 'body'],
  ['metadata', SPECIAL, 'base basefont bgsound link'],
  ['metadata', SPECIAL | BREAKOUT, 'meta'],
  ['metadata', SPECIAL | RAW, 'title style script noframes'],
  ['template', SPECIAL | SCOPE | TABLE_SCOPE | BODY_CONTEXT | ROW_CONTEXT, 'template'],
  ['block', SPECIAL, 'address article aside details dir fieldset figcaption figure footer header hgroup main nav'],
  ['block', SPECIAL, 'search section summary'],
  ['block', 0, 'dialog'],
  ['block', SPECIAL | BREAKOUT, 'blockquote center div dl menu'],
  ['block', SPECIAL | LIST_SCOPE | BREAKOUT, 'ol ul'],
  ['heading', SPECIAL | HEADING | BREAKOUT, 'h1 h2 h3 h4 h5 h6'],
  ['pre', SPECIAL | BREAKOUT, 'pre listing'],
  ['form', SPECIAL, 'form'],
  ['list item', SPECIAL | IMPLIED_END | BREAKOUT, 'li'],
  ['definition', SPECIAL | IMPLIED_END | BREAKOUT, 'dd dt'],
  ['paragraph', SPECIAL | IMPLIED_END | BREAKOUT | PARAGRAPH, 'p'],
  ['plaintext', SPECIAL, 'plaintext'],
  ['button', SPECIAL | BUTTON_SCOPE, 'button'],
  ['anchor', 0, 'a'],
  ['formatting', BREAKOUT, 'b big code em i s small strike strong tt u'],
  ['formatting', 0, 'font'],
  ['nobr', BREAKOUT, 'nobr'],
  ['object', SPECIAL | SCOPE, 'applet marquee object'],
  ['noscript', SPECIAL | SCOPE, 'noscript'],
  ['table', SPECIAL | SCOPE | TABLE_SCOPE | BREAKOUT | FOSTERS, 'table'],
  ['table part', SPECIAL | SCOPE | IMPLIED_IN_TEMPLATE, 'caption td th'],
  ['table part', SPECIAL | IMPLIED_IN_TEMPLATE, 'colgroup'],
  ['table part', SPECIAL, 'col'],
  ['table part', SPECIAL | BODY_CONTEXT | FOSTERS | IMPLIED_IN_TEMPLATE, 'tbody thead tfoot'],
  ['table part', SPECIAL | ROW_CONTEXT | FOSTERS | IMPLIED_IN_TEMPLATE, 'tr'],
  ['void', SPECIAL, 'area keygen wbr frame'],
  ['input', SPECIAL, 'input'],
  ['void', SPECIAL | BREAKOUT, 'embed img'],
  ['image', SPECIAL, 'image'],
  ['bare void', SPECIAL, 'param source track'],
  ['rule', SPECIAL | BREAKOUT, 'hr'],
  ['text area', SPECIAL | RAW, 'textarea'],
  ['raw block', SPECIAL | RAW, 'xmp'],
  ['raw inline', SPECIAL | RAW, 'iframe noembed'],
  ['select', SPECIAL | SCOPE, 'select'],
  ['option', IMPLIED_END, 'option optgroup'],
  ['ruby base', IMPLIED_END, 'rb rtc'],
  ['ruby text', IMPLIED_END, 'rp rt'],
  ['break', SPECIAL | BREAKOUT, 'br'],
  ['foreign root', 0, 'math svg'],
  ['ordinary', SPECIAL, 'frameset'],
  ['ordinary', BREAKOUT, 'ruby span sub sup var'],
  ['ordinary', 0, 'abbr acronym bdi bdo canvas cite data datalist del dfn figure ins kbd label legend map mark'],
  ['ordinary', 0, 'meter output picture progress q samp slot time video audio path g use rect circle'],
]

export const kinds: readonly Kind[] = [...new Set(rows.map(([kind]) => kind))]

const tags = new Map<string, Tag>()
for (const [kind, flags, names] of rows) {
  for (const name of names.split(' ')) {
    if (!tags.has(name)) tags.set(name, { name, kind, rule: kinds.indexOf(kind), flags })
  }
}

const ordinary = kinds.indexOf('ordinary')
const unknownTag = (name: string): Tag => ({ name, kind: 'ordinary', rule: ordinary, flags: 0 })

/** Returns the tag of this name, which must be in lower case. An unknown name results in an ordinary tag. */
export function tagOf(name: string): Tag {
  return tags.get(name) ?? unknownTag(name)
}

/** Returns the tag for the name at a position of the input, in any case. */
export const tagAt = nameReader(tags, unknownTag)

const svgPoints = new Set(['foreignobject', 'desc', 'title'])
const mathPoints = new Set(['mi', 'mo', 'mn', 'ms', 'mtext'])

/** Returns the flags of an SVG element, or of a MathML element if `math` is set, as a bit set. */
export function foreignFlags(name: string, math: boolean, attributes: Readonly<Record<string, string>>): number {
  if (!math) return svgPoints.has(name) ? FOREIGN | SPECIAL | SCOPE | HTML_POINT : FOREIGN
  if (mathPoints.has(name)) return FOREIGN | MATH | SPECIAL | SCOPE | TEXT_POINT
  if (name !== 'annotation-xml') return FOREIGN | MATH
  const encoding = attributes['encoding']?.toLowerCase()
  const holdsHtml = encoding === 'text/html' || encoding === 'application/xhtml+xml'
  return FOREIGN | MATH | SPECIAL | SCOPE | (holdsHtml ? HTML_POINT : 0)
}
