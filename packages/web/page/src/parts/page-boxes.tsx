// The pages of a file with the boxes of their blocks, next to their Markdown and the values of `json`.
import { useMemo, useRef, useState } from 'preact/hooks'

import { addressIn, ownAddressOf } from '../lib/address.ts'
import {
  fontSize,
  groupOf,
  imageStyle,
  plainText,
  typesOf,
  type BlockItem,
  type PageImage,
  type PageOfBlocks,
  type PlacedValue,
} from '../lib/blocks.ts'
import { placedValues, type Evidence } from '../lib/evidence.ts'
import { shown } from '../lib/format.ts'
import { Source, Values, type Highlight } from './block-sources.tsx'

export interface PageBoxesProps {
  readonly pages: readonly PageOfBlocks[]
  readonly markdown: string | undefined
  readonly images: readonly PageImage[]
  /** The value of the format `json`, and the sources of its values by JSON Pointer. */
  readonly data: unknown
  readonly fields: Readonly<Record<string, Evidence>> | undefined
}

/** Shows one page at a time. A block, its Markdown and its values are highlighted together, from each of them. */
export function PageBoxes({ pages, markdown, images, data, fields }: PageBoxesProps) {
  const [at, setAt] = useState(0)
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const [pointed, point] = useState<string | undefined>()
  const values = useMemo(() => placedValues(data, fields ?? {}, pages), [data, fields, pages])
  const page = pages[Math.min(at, pages.length - 1)]
  if (!page) return <p class="muted">The file has no pages.</p>
  const go = (to: number, ids: readonly string[] = []): void => {
    setAt(to)
    choose(new Set(ids))
    point(undefined)
  }
  const goToValue = ({ page: number, id }: PlacedValue): void =>
    go(
      pages.findIndex(({ pageNumber }) => pageNumber === number),
      [id],
    )
  const highlight: Highlight = { chosen, pointed, choose, point }
  return (
    <div class="stack wide">
      <PageBar pages={pages} at={at} go={go} />
      <div class="page-boxes">
        <div class="stack">
          <Sheet key={page.pageNumber} page={page} highlight={highlight} image={imageOf(images, page)} />
          <Legend page={page} hasImages={images.length > 0} />
        </div>
        <div class="stack">
          {values.length > 0 && <Values values={values} highlight={highlight} choose={goToValue} />}
          {markdown !== undefined && (
            <Source key={page.pageNumber} page={page} markdown={markdown} highlight={highlight} />
          )}
        </div>
      </div>
    </div>
  )
}

interface PageBarProps {
  readonly pages: readonly PageOfBlocks[]
  readonly at: number
  readonly go: (to: number) => void
}

function PageBar({ pages, at, go }: PageBarProps) {
  const { pageNumber, status } = pages[at] ?? { pageNumber: 0 }
  return (
    <div class="bar">
      <button type="button" class="small" disabled={at === 0} onClick={() => go(at - 1)}>
        Previous page
      </button>
      <span aria-live="polite">
        Page {pageNumber}, {at + 1} of {pages.length}
      </span>
      <button type="button" class="small" disabled={at >= pages.length - 1} onClick={() => go(at + 1)}>
        Next page
      </button>
      {status && status !== 'ok' && <span class="sign refused">! {shown(status)}</span>}
    </div>
  )
}

interface OwnImage {
  readonly url: string
  readonly rotation: number
}

/** Returns the picture of a page. Like screenshots, only pictures of this server are loaded. */
function imageOf(images: readonly PageImage[], { pageNumber }: PageOfBlocks): OwnImage | undefined {
  const image = images.find((one) => one.pageNumber === pageNumber)
  const address = image && addressIn(image.url, location.href)
  if (!address) return undefined
  const isInline = image.url.startsWith('data:image/')
  if (!isInline && address.host !== location.host) return undefined
  return { url: isInline ? image.url : ownAddressOf(address), rotation: image.rotation }
}

const maxBlocks = 2_000
// The size of a page whose own size is not known: A4.
const defaultSize = { width: 1654, height: 2339 }
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

interface SheetProps {
  readonly page: PageOfBlocks
  readonly highlight: Highlight
  readonly image: OwnImage | undefined
}

/** The page with its boxes, which are one stop of the Tab key: the arrow keys move between them, in reading order. */
function Sheet({ page, highlight, image }: SheetProps) {
  const [current, setCurrent] = useState(0)
  const sheet = useRef<HTMLDivElement>(null)
  const ratio = (page.height || defaultSize.height) / (page.width || defaultSize.width)
  const boxes = page.items.slice(0, maxBlocks).filter(({ bbox }) => bbox)
  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(boxes.length - 1, current + step))
    setCurrent(next)
    sheet.current?.querySelectorAll<HTMLElement>('.box')[next]?.focus()
  }
  return (
    <div
      class={image ? 'sheet drawn' : 'sheet'}
      role="group"
      aria-label={`Blocks of page ${page.pageNumber}. Arrow keys move between them.`}
      style={{ aspectRatio: String(1 / ratio) }}
      ref={sheet}
      onKeyDown={move}
    >
      {image && <img src={image.url} alt="" style={imageStyle(image.rotation, ratio)} />}
      {boxes.map((item, index) => (
        <Box
          key={item.id}
          item={item}
          ratio={ratio}
          hasImage={image !== undefined}
          isCurrent={index === current}
          enter={() => setCurrent(index)}
          highlight={highlight}
        />
      ))}
    </div>
  )
}

interface BoxProps {
  readonly item: BlockItem
  readonly ratio: number
  readonly hasImage: boolean
  readonly isCurrent: boolean
  readonly enter: () => void
  readonly highlight: Highlight
}

const maxTextInBox = 4_000

function Box({ item, ratio, hasImage, isCurrent, enter, highlight: { chosen, pointed, choose, point } }: BoxProps) {
  const { id, type, bbox } = item
  if (!bbox) return null
  const text = shown(plainText(item).slice(0, maxTextInBox))
  const kind = shown(type.replaceAll('_', ' '))
  const [left, top, right, bottom] = bbox
  const percent = (share: number): string => `${share * 100}%`
  return (
    <button
      type="button"
      class={pointed === id ? 'box pointed' : 'box'}
      data-group={groupOf(type)}
      aria-pressed={chosen.has(id)}
      aria-label={`${kind}: ${text}`}
      title={kind}
      tabIndex={isCurrent ? 0 : -1}
      onClick={() => choose(new Set([id]))}
      onPointerEnter={() => point(id)}
      onPointerLeave={() => point(undefined)}
      onFocus={() => {
        enter()
        point(id)
      }}
      onBlur={() => point(undefined)}
      style={{
        ...{ left: percent(left), top: percent(top), width: percent(right - left), height: percent(bottom - top) },
        fontSize: `${fontSize(text, bbox, ratio)}cqw`,
      }}
    >
      {!hasImage && text}
    </button>
  )
}

function Legend({ page, hasImages }: { readonly page: PageOfBlocks; readonly hasImages: boolean }) {
  return (
    <>
      <ul class="box-legend small" aria-label="Types of blocks on this page">
        {typesOf(page).map(([type, count]) => (
          <li key={type} data-group={groupOf(type)}>
            {shown(type.replaceAll('_', ' '))} {count}
          </li>
        ))}
      </ul>
      {!hasImages && (
        <p class="small muted">To see the page behind the boxes, set “Pictures of the pages” of the parser.</p>
      )}
    </>
  )
}
