// What the HTML standard's tree construction knows about each tag. Facts of chapter 13.2.6, one row a group.
import { nameReader } from '../tokens/names.ts'

/** How a tag is treated inside `body`; `start-tags.ts` and `end-tags.ts` hold one rule for each. */
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
  /** Where its rules stand in lists that follow `kinds`. */
  readonly rule: number
  readonly flags: number
}

/** An end tag of another name does not reach through it. */
export const SPECIAL = 1
/** Ends every scope: nothing outside is closed from inside. */
export const SCOPE = 2
export const LIST_SCOPE = 4
export const BUTTON_SCOPE = 8
export const TABLE_SCOPE = 16
/** Its end tag may be left out. */
export const IMPLIED_END = 32
/** Its content is text only; the tokenizer reads it so. */
export const RAW = 128
export const HEADING = 256
/** Inside svg or math. */
export const FOREIGN = 512
export const MATH = 1024
/** Foreign, but its content is HTML. */
export const HTML_POINT = 2048
/** Foreign, but the text in it is HTML. */
export const TEXT_POINT = 4096
/** A start tag that closes svg and math around it. */
export const BREAKOUT = 8192
/** Text and blocks directly in it are moved before the table. */
export const FOSTERS = 16384
export const BODY_CONTEXT = 32768
export const ROW_CONTEXT = 65536
/** A table's section, row or cell: may end by implication when a template ends. */
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

/** The tag of this name, which is in lower case. */
export function tagOf(name: string): Tag {
  return tags.get(name) ?? unknownTag(name)
}

/** The tag whose name stands there, in any case. */
export const tagAt = nameReader(tags, unknownTag)

const svgPoints = new Set(['foreignobject', 'desc', 'title'])
const mathPoints = new Set(['mi', 'mo', 'mn', 'ms', 'mtext'])

export function foreignFlags(name: string, math: boolean, attributes: Readonly<Record<string, string>>): number {
  if (!math) return svgPoints.has(name) ? FOREIGN | SPECIAL | SCOPE | HTML_POINT : FOREIGN
  if (mathPoints.has(name)) return FOREIGN | MATH | SPECIAL | SCOPE | TEXT_POINT
  if (name !== 'annotation-xml') return FOREIGN | MATH
  const encoding = attributes['encoding']?.toLowerCase()
  const holdsHtml = encoding === 'text/html' || encoding === 'application/xhtml+xml'
  return FOREIGN | MATH | SPECIAL | SCOPE | (holdsHtml ? HTML_POINT : 0)
}
