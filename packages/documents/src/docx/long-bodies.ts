// Reads long bodies in chunks. Mammoth has several copies of a document in memory while it reads, so this limits memory to a
// multiple of the chunk size.
import { elementsIn, type XmlElement, type XmlNode } from '../xml/tree.ts'

/**
 * Splits a body into lists of its children, with text and order unchanged. Each list but the last has at least `size` elements,
 * and more where a cut would fall inside a child, inside a field, or between the first and the last note reference.
 */
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

/** Returns the change of the nesting depth of fields: a field may begin in one paragraph and end in another. */
function fieldStep({ name, attributes }: XmlElement): number {
  if (name !== 'w:fldChar') return 0
  const type = attributes['w:fldCharType']
  return type === 'begin' ? 1 : type === 'end' ? -1 : 0
}

/**
 * Returns the indexes of the first and the last child that refers to a note. Notes are numbered per chunk, so one chunk must
 * contain all references.
 */
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

/** Reads a document with this body. A paragraph with the style `openerStyle` is converted to the elements of the path. */
export type ReadBody = (children: XmlNode[], openerPath: string) => Promise<string>

/**
 * Reads chunks sequentially as one body and returns its HTML. Empties `pieces`, so that each chunk is freed once it is read.
 * Notes are placed at the end. Rejects if `read` does.
 */
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

/**
 * Returns a paragraph for the start of a chunk. It reopens the elements that were open at the end of the previous chunk, and is
 * removed from the HTML afterwards.
 */
function opener(): XmlElement {
  const element = (name: string, children: XmlNode[], attributes = {}): XmlElement => ({ name, attributes, children })
  const style = element('w:pPr', [element('w:pStyle', [], { 'w:val': openerStyle })])
  return element('w:p', [style, element('w:r', [element('w:t', [openerText])])])
}

interface Joint {
  /** Elements that the opener is converted to, in mammoth's syntax. */
  readonly path: string
  /** HTML removed from the end of the previous chunk. */
  readonly end: string
  /** HTML removed from the start of the next chunk. */
  readonly start: string
}

const none: Joint = { path: '', end: '', start: '' }
const joints: readonly Joint[] = [
  { path: 'blockquote > p:fresh', end: '</blockquote>', start: `<blockquote><p>${openerText}</p>` },
  { path: "pre:separator('\\n')", end: '</pre>', start: `<pre>${openerText}` },
]

/** Returns the elements at the end of a chunk that mammoth would continue if the next paragraph matches. */
function joint(html: string): Joint {
  const [end] = /(?:<\/li><\/[ou]l>)+$/.exec(html) ?? ['']
  if (end === '') return joints.find((one) => html.endsWith(one.end)) ?? none
  const lists = Array.from(end.matchAll(/[ou]l/g), ([name]) => name).toReversed()
  const start = lists.map((name) => `<${name}><li>`).join('')
  return { path: `${lists.join(' > li > ')} > li:fresh`, end, start: start + openerText }
}
