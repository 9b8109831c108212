import { addressIn } from '../lib/address.ts'
import { copy } from '../lib/say.ts'

/** A document, as far as its text is copied. */
interface CopiedDocument {
  readonly markdown?: string
  readonly metadata: { readonly title?: string; readonly url?: string; readonly sourceURL?: string }
  readonly [format: string]: unknown
}

/** The text of a tab: what Copy copies and Download stores. */
interface TabText {
  readonly label: string
  readonly text: string
  readonly ending: string
  readonly type: string
}

const lists: readonly string[] = ['links', 'images']

/** Returns the text of the tab that is shown; Markdown or JSON for a tab that has none of its own. */
function textOf(document: CopiedDocument, tab: string): TabText {
  const { markdown, html, rawHtml } = document
  const list = document[tab]
  if (tab === 'html' && typeof html === 'string')
    return { label: 'HTML', text: html, ending: 'html', type: 'text/html' }
  if (tab === 'raw' && typeof rawHtml === 'string')
    return { label: 'raw HTML', text: rawHtml, ending: 'html', type: 'text/html' }
  if (lists.includes(tab) && Array.isArray(list))
    return { label: tab, text: `${list.join('\n')}\n`, ending: 'txt', type: 'text/plain' }
  if (tab === 'data') return asJson(document['json'])
  if (markdown !== undefined && (tab === 'read' || tab === 'source'))
    return { label: 'Markdown', text: markdown, ending: 'md', type: 'text/markdown' }
  return asJson(document)
}

function asJson(value: unknown): TabText {
  return { label: 'JSON', text: `${JSON.stringify(value, null, 2)}\n`, ending: 'json', type: 'application/json' }
}

export interface ResultActionsProps {
  readonly document: CopiedDocument
  readonly tab: string
}

/** Copies or downloads what the chosen tab shows. */
export function ResultActions({ document, tab }: ResultActionsProps) {
  const { url, sourceURL, title } = document.metadata
  const { label, text, ending, type } = textOf(document, tab)
  return (
    <div class="bar pad result-actions">
      <b class="grow">{title ?? url ?? sourceURL}</b>
      <button type="button" class="small" onClick={() => void copy(text)}>
        Copy {label}
      </button>
      <button
        type="button"
        class="small"
        onClick={() => saveFile(`${nameOf(url ?? sourceURL)}.${ending}`, new Blob([text], { type }))}
      >
        <span aria-hidden="true">↓</span> Download
      </button>
    </div>
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

function saveFile(name: string, file: Blob): void {
  const link = globalThis.document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Some browsers read it only after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
