import { addressIn } from '../lib/address.ts'
import { shown } from '../lib/format.ts'
import { saveFile } from '../lib/save-file.ts'
import { copy } from '../lib/say.ts'

/** The fields of a document that can be copied. */
interface CopiedDocument {
  readonly markdown?: string
  readonly metadata: { readonly title?: string; readonly url?: string; readonly sourceURL?: string }
  readonly [format: string]: unknown
}

/** Text to copy or to download as a file. */
export interface TabText {
  readonly label: string
  /** Creates the string on demand, since it may be long. */
  readonly text: () => string
  readonly ending: string
  readonly type: string
}

const lists: readonly string[] = ['links', 'images']

/** Returns the content of the selected tab; Markdown or JSON for tabs without their own text. */
function textOf(document: CopiedDocument, tab: string): TabText {
  const { markdown, html, rawHtml } = document
  const list = document[tab]
  if (tab === 'html' && typeof html === 'string')
    return { label: 'HTML', text: () => html, ending: 'html', type: 'text/html' }
  if (tab === 'raw' && typeof rawHtml === 'string')
    return { label: 'raw HTML', text: () => rawHtml, ending: 'html', type: 'text/html' }
  if (lists.includes(tab) && Array.isArray(list)) return asLines(tab, list as readonly string[])
  if (tab === 'data') return asJson(document['json'])
  if (markdown !== undefined && (tab === 'read' || tab === 'source')) return asMarkdown(markdown)
  return asJson(document)
}

/** Returns Markdown to copy or download. */
export function asMarkdown(text: string): TabText {
  return { label: 'Markdown', text: () => text, ending: 'md', type: 'text/markdown' }
}

/** Returns one line per URL to copy or download. */
export function asLines(label: string, lines: readonly string[]): TabText {
  return { label, text: () => `${lines.join('\n')}\n`, ending: 'txt', type: 'text/plain' }
}

/** Returns a value as JSON to copy or download. */
export function asJson(value: unknown): TabText {
  return { label: 'JSON', text: () => `${JSON.stringify(value, null, 2)}\n`, ending: 'json', type: 'application/json' }
}

export interface ResultActionsProps {
  readonly document: CopiedDocument
  readonly tab: string
}

/** Copies or downloads the content of the selected tab. */
export function ResultActions({ document, tab }: ResultActionsProps) {
  const { url, sourceURL, title } = document.metadata
  return (
    <div class="bar pad result-actions">
      <b class="grow break">{shown(title ?? url ?? sourceURL ?? '')}</b>
      <TextActions name={nameOf(url ?? sourceURL)} content={textOf(document, tab)} />
    </div>
  )
}

export interface TextActionsProps {
  /** Name of the file, without its extension. */
  readonly name: string
  readonly content: TabText
}

/** Buttons that copy text and download it as a file. */
export function TextActions({ name, content: { label, text, ending, type } }: TextActionsProps) {
  return (
    <>
      <button type="button" class="small" onClick={() => void copy(text())}>
        Copy {label}
      </button>
      <button
        type="button"
        class="small"
        aria-label={`Download ${label}`}
        onClick={() => saveFile(`${name}.${ending}`, new Blob([text()], { type }))}
      >
        <span aria-hidden="true">↓</span> Download
      </button>
    </>
  )
}

function nameOf(url: string | undefined): string {
  const address = addressIn(url)
  const name = address ? `${address.host}${address.pathname}` : 'page'
  return (
    name
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replaceAll(/^[-.]+|[-.]+$/g, '')
      .slice(0, 100) || 'page'
  )
}
