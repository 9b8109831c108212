// The pages of a file with the boxes of their blocks, beside the Markdown that was written from them.
import { useEffect, useRef, useState } from 'preact/hooks'

import { fontSize, markdownParts, maxText, plainText, type BlockItem, type PageOfBlocks } from '../lib/blocks.ts'
import { shown } from '../lib/format.ts'

export interface PageBoxesProps {
  readonly pages: readonly PageOfBlocks[]
  readonly markdown: string | undefined
}

/** Shows one page at a time. A chosen block and its Markdown are highlighted together, from either side. */
export function PageBoxes({ pages, markdown }: PageBoxesProps) {
  const [at, setAt] = useState(0)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const page = pages[Math.min(at, pages.length - 1)]
  if (!page) return <p class="muted">The file has no pages.</p>
  const go = (to: number): void => {
    setAt(to)
    setChosen(new Set())
  }
  return (
    <div class="stack wide">
      <div class="bar">
        <button type="button" class="small" disabled={at === 0} onClick={() => go(at - 1)}>
          Previous page
        </button>
        <span aria-live="polite">
          Page {page.pageNumber}, {at + 1} of {pages.length}
        </span>
        <button type="button" class="small" disabled={at >= pages.length - 1} onClick={() => go(at + 1)}>
          Next page
        </button>
        {page.status && page.status !== 'ok' && <span class="sign refused">! {shown(page.status)}</span>}
      </div>
      <div class="page-boxes">
        <Sheet page={page} chosen={chosen} choose={(id) => setChosen(new Set([id]))} />
        {markdown !== undefined && (
          <Source key={page.pageNumber} page={page} markdown={markdown} chosen={chosen} choose={setChosen} />
        )}
      </div>
    </div>
  )
}

const maxBlocks = 2_000
// The size of a page whose own size is not known: A4.
const usual = { width: 1654, height: 2339 }

interface SheetProps {
  readonly page: PageOfBlocks
  readonly chosen: ReadonlySet<string>
  readonly choose: (id: string) => void
}

function Sheet({ page, chosen, choose }: SheetProps) {
  const ratio = (page.height || usual.height) / (page.width || usual.width)
  return (
    <div
      class="sheet"
      role="group"
      aria-label={`Blocks of page ${page.pageNumber}`}
      style={{ aspectRatio: String(1 / ratio) }}
    >
      {page.items.slice(0, maxBlocks).map((item) => (
        <Box key={item.id} item={item} ratio={ratio} isChosen={chosen.has(item.id)} choose={choose} />
      ))}
    </div>
  )
}

interface BoxProps {
  readonly item: BlockItem
  readonly ratio: number
  readonly isChosen: boolean
  readonly choose: (id: string) => void
}

const maxTextInBox = 4_000

function Box({ item, ratio, isChosen, choose }: BoxProps) {
  const { id, type, bbox } = item
  if (!bbox) return null
  const text = shown(plainText(item).slice(0, maxTextInBox))
  const [left, top, right, bottom] = bbox
  const percent = (share: number): string => `${share * 100}%`
  return (
    <button
      type="button"
      class="box"
      data-type={type}
      aria-pressed={isChosen}
      title={type.replaceAll('_', ' ')}
      onClick={() => choose(id)}
      style={{
        ...{ left: percent(left), top: percent(top), width: percent(right - left), height: percent(bottom - top) },
        fontSize: `${fontSize(text, bbox, ratio)}cqw`,
      }}
    >
      {text}
    </button>
  )
}

interface SourceProps {
  readonly page: PageOfBlocks
  readonly markdown: string
  readonly chosen: ReadonlySet<string>
  readonly choose: (ids: ReadonlySet<string>) => void
}

/** The Markdown of a page. Selecting some of it chooses the blocks that it was written from. */
function Source({ page, markdown, chosen, choose }: SourceProps) {
  const frame = useRef<HTMLPreElement>(null)
  useEffect(() => {
    const select = (): void => {
      const selection = getSelection()
      if (!selection?.anchorNode || !frame.current?.contains(selection.anchorNode)) return
      const range = selection.getRangeAt(0)
      const marks = [...frame.current.querySelectorAll<HTMLElement>('[data-block]')]
      const ids = marks.flatMap((mark) => (range.intersectsNode(mark) ? [mark.dataset['block'] ?? ''] : []))
      if (ids.length > 0) choose(new Set(ids))
    }
    document.addEventListener('selectionchange', select)
    return () => document.removeEventListener('selectionchange', select)
  }, [choose])
  useEffect(() => {
    const isOwn = frame.current?.contains(getSelection()?.anchorNode ?? null)
    if (!isOwn) frame.current?.querySelector('.chosen')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const { parts, isCut } = markdownParts(markdown, page)
  if (parts.length === 0) return <p class="muted">The Markdown has no text of this page.</p>
  return (
    <pre class="source" tabIndex={0} aria-label="Markdown of the page" ref={frame}>
      {parts.map(({ text, id }, index) => {
        if (id === undefined) return shown(text)
        return (
          <span key={index} data-block={id} class={chosen.has(id) ? 'chosen' : ''}>
            {shown(text)}
          </span>
        )
      })}
      {isCut && `\n\n[Only the first ${maxText.toLocaleString('en')} characters of the page are shown.]`}
    </pre>
  )
}
