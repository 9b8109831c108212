// Mammoth holds a document several times while it reads. A long body is read in pieces, so that memory is bounded by the piece.
import { elementsIn, type XmlElement, type XmlNode } from '../xml/tree.ts'

/** Cuts a body into lists of its children, each of about `size` elements. The text and the order stay the same. */
export function cutBody(body: XmlElement, size: number): XmlNode[][] {
  const children = body.children
  const [firstNote, lastNote] = noteRange(children)
  const pieces: XmlNode[][] = [[]]
  let [elements, openFields] = [0, 0]
  for (const [index, child] of children.entries()) {
    const isBetweenNotes = index > firstNote && index <= lastNote
    if (elements >= size && openFields === 0 && !isBetweenNotes) {
      pieces.push([])
      elements = 0
    }
    pieces.at(-1)?.push(child)
    if (typeof child === 'string') continue
    elements += 1
    for (const element of elementsIn(child)) {
      elements += 1
      openFields = Math.max(0, openFields + fieldStep(element))
    }
  }
  return pieces
}

/** A field may begin in one paragraph and end in another. */
function fieldStep({ name, attributes }: XmlElement): number {
  if (name !== 'w:fldChar') return 0
  const type = attributes['w:fldCharType']
  return type === 'begin' ? 1 : type === 'end' ? -1 : 0
}

/** The first and the last child with a reference to a note. Notes are numbered within a piece, so one piece has them all. */
function noteRange(children: readonly XmlNode[]): readonly [first: number, last: number] {
  const hasNote = (child: XmlNode): boolean => {
    if (typeof child === 'string') return false
    for (const { name } of elementsIn(child)) if (isNoteReference(name)) return true
    return false
  }
  return [children.findIndex(hasNote), children.findLastIndex(hasNote)]
}

function isNoteReference(name: string): boolean {
  return name === 'w:footnoteReference' || name === 'w:endnoteReference'
}

/** Reads a document with this body. A paragraph with the style `openerStyle` becomes the elements of the path. */
export type ReadBody = (children: XmlNode[], openerPath: string) => Promise<string>

/** Reads pieces one after the other as one body, and drops each once it is read. Notes are at the end. */
export async function readInPieces(pieces: XmlNode[][], read: ReadBody): Promise<string> {
  const bodies: string[] = []
  const notes: string[] = []
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    const before = bodies.pop()
    const { path, end, start } = joint(before ?? '')
    const html = await read(path === '' ? piece : [opener(), ...piece], path)
    const at = notesAt(html)
    if (before !== undefined) bodies.push(before.slice(0, before.length - end.length))
    bodies.push(html.slice(start.length, at))
    notes.push(html.slice(at))
  }
  return [...bodies, ...notes].join('')
}

function notesAt(html: string): number {
  const at = html.indexOf('<ol><li id="note-')
  return at < 0 ? (/(?:<ol><\/ol>)?(?:<dl><\/dl>)?$/.exec(html)?.index ?? html.length) : at
}

export const openerStyle = 'harvestman-opener'
const openerText = '\ufdd0O\ufdd1'

/** The first paragraph of a piece. It opens the elements that were open at the end of the piece before, and is removed again. */
function opener(): XmlElement {
  const element = (name: string, children: XmlNode[], attributes = {}): XmlElement => ({ name, attributes, children })
  const style = element('w:pPr', [element('w:pStyle', [], { 'w:val': openerStyle })])
  return element('w:p', [style, element('w:r', [element('w:t', [openerText])])])
}

interface Joint {
  /** What the opener becomes, as mammoth describes elements. */
  readonly path: string
  /** The HTML that is removed at the end of one piece. */
  readonly end: string
  /** The HTML that is removed at the start of the next one. */
  readonly start: string
}

const none: Joint = { path: '', end: '', start: '' }
const joints: readonly Joint[] = [
  { path: 'blockquote > p:fresh', end: '</blockquote>', start: `<blockquote><p>${openerText}</p>` },
  { path: "pre:separator('\\n')", end: '</pre>', start: `<pre>${openerText}` },
]

/** The elements at the end of a piece that mammoth would continue if the next paragraph fits. */
function joint(html: string): Joint {
  const [end] = /(?:<\/li><\/[ou]l>)+$/.exec(html) ?? ['']
  if (end === '') return joints.find((one) => html.endsWith(one.end)) ?? none
  const lists = Array.from(end.matchAll(/[ou]l/g), ([name]) => name).toReversed()
  const start = lists.map((name) => `<${name}><li>`).join('')
  return { path: `${lists.join(' > li > ')} > li:fresh`, end, start: start + openerText }
}
