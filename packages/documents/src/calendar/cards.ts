// Reads contacts (RFC 6350, and the older versions 2.1 and 3.0).
import { countElements, type Converting } from '../converting.ts'
import { factsOf, type Converted } from '../facts.ts'
import { link } from '../html/blocks.ts'
import { damaged } from '../refuse.ts'
import { decodeText } from '../text-files.ts'
import { escapeText } from '../xml/entities.ts'
import { contentLines, partsOf, textOf, type ContentLine } from './content-lines.ts'

const maxLines = 500

/** Reads the contacts of a file, each with a heading. Throws `unsupported_file` without one. */
export function readCards(bytes: Uint8Array, work: Converting): Converted {
  const take = countElements(work)
  const parts: string[] = []
  let card: ContentLine[] | undefined
  for (const line of contentLines(decodeText(bytes))) {
    const isCard = line.value.trim().toUpperCase() === 'VCARD'
    if (line.name === 'BEGIN' && isCard) card = []
    else if (line.name === 'END' && isCard && card) {
      if (!take('p')) break
      parts.push(cardHtml(card))
      card = undefined
    } else if (card && card.length < maxLines) card.push(line)
  }
  if (card) work.warn('The last contact of the file is cut off, so it is left out.')
  else if (parts.length === 0) throw damaged('it contains no contact')
  return { html: parts.join(''), facts: factsOf({}) }
}

const labels: Readonly<Record<string, string>> = {
  ORG: 'Organization',
  TITLE: 'Title',
  ROLE: 'Role',
  TEL: 'Phone',
  EMAIL: 'E-mail',
  ADR: 'Address',
  URL: 'URL',
  BDAY: 'Birthday',
  NOTE: 'Note',
}

function cardHtml(lines: readonly ContentLine[]): string {
  const rows = Object.entries(labels).flatMap(([name, label]) =>
    lines
      .filter((line) => line.name === name)
      .map((line) => ({ html: valueHtml(line), kind: kindOf(line) }))
      .filter(({ html }) => html !== '')
      .map(({ html, kind }) => `<li>${label}${escapeText(kind)}: ${html}</li>`),
  )
  return `<h2>${escapeText(nameOf(lines))}</h2>${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : ''}`
}

function nameOf(lines: readonly ContentLine[]): string {
  const full = textOf(lines.find(({ name }) => name === 'FN')?.value ?? '').trim()
  if (full !== '') return full
  const [family = '', given = '', middle = ''] = partsOf(lines.find(({ name }) => name === 'N')?.value ?? '')
  const joined = [given, middle, family].filter((part) => part !== '').join(' ')
  return joined === '' ? 'Contact' : joined
}

const ignoredKinds: ReadonlySet<string> = new Set(['pref', 'internet', 'voice', 'quoted-printable', '8bit'])

/** Returns the kinds of a value, such as " (work)". */
function kindOf({ parameters }: ContentLine): string {
  const kinds = (parameters.get('TYPE') ?? '').toLowerCase().split(',')
  const shown = [...new Set(kinds)].filter((kind) => /^[a-z-]{1,20}$/.test(kind) && !ignoredKinds.has(kind))
  return shown.length === 0 ? '' : ` (${shown.join(', ')})`
}

function valueHtml({ name, value }: ContentLine): string {
  if (name === 'ADR' || name === 'ORG')
    return escapeText(
      partsOf(value)
        .filter((part) => part !== '')
        .join(', '),
    )
  if (name === 'URL') return link(value, escapeText(value))
  const text = textOf(value)
    .replace(/^(?:tel|mailto):/i, '')
    .trim()
  return escapeText(text).replaceAll('\n', '<br>')
}
