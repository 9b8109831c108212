// The values and the Markdown that were read from the blocks of a page.
import { useEffect, useRef } from 'preact/hooks'

import { markdownParts, maxText, type PageOfBlocks, type PlacedValue } from '../lib/blocks.ts'
import { shown } from '../lib/format.ts'

/** The highlighted blocks: the chosen ones, and the one under the pointer or with the focus. */
export interface Highlight {
  readonly chosen: ReadonlySet<string>
  readonly pointed: string | undefined
  choose(ids: ReadonlySet<string>): void
  point(id: string | undefined): void
}

interface ValuesProps {
  readonly values: readonly PlacedValue[]
  readonly highlight: Highlight
  readonly choose: (value: PlacedValue) => void
}

/** The values of `json` with their quotes. Choosing one shows its page and block. */
export function Values({ values, highlight: { chosen, pointed, point }, choose }: ValuesProps) {
  return (
    <section aria-label="Values of the format json">
      <ul class="box-values">
        {values.map((value) => (
          <li key={value.name}>
            <button
              type="button"
              class={pointed === value.id ? 'pointed' : ''}
              aria-pressed={chosen.has(value.id)}
              onClick={() => choose(value)}
              onPointerEnter={() => point(value.id)}
              onPointerLeave={() => point(undefined)}
              onFocus={() => point(value.id)}
              onBlur={() => point(undefined)}
            >
              <span class="mono muted">{shown(value.name)}</span> <b>{shown(value.value)}</b>{' '}
              <span class="small muted">
                page {value.page}: <q>{shown(value.quote)}</q>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface SourceProps {
  readonly page: PageOfBlocks
  readonly markdown: string
  readonly highlight: Highlight
}

/** The Markdown of a page. Selecting some of it chooses the blocks that it was written from. */
export function Source({ page, markdown, highlight: { chosen, pointed, choose, point } }: SourceProps) {
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
    const mark = frame.current?.querySelector<HTMLElement>('.chosen')
    // Scrolls the Markdown only, not the page.
    if (!isOwn && mark && frame.current) frame.current.scrollTop = mark.offsetTop - frame.current.clientHeight / 3
  }, [chosen])
  const { parts, isCut } = markdownParts(markdown, page)
  if (parts.length === 0) return <p class="muted">The Markdown has no text of this page.</p>
  const classOf = (id: string): string =>
    [chosen.has(id) && 'chosen', pointed === id && 'pointed'].filter(Boolean).join(' ')
  return (
    <pre class="source" tabIndex={0} aria-label="Markdown of the page" ref={frame}>
      {parts.map(({ text, id }, index) => {
        if (id === undefined) return shown(text)
        return (
          <span
            key={index}
            data-block={id}
            class={classOf(id)}
            onPointerEnter={() => point(id)}
            onPointerLeave={() => point(undefined)}
          >
            {shown(text)}
          </span>
        )
      })}
      {isCut && `\n\n[Only the first ${maxText.toLocaleString('en')} characters of the page are shown.]`}
    </pre>
  )
}
