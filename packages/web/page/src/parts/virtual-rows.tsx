import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

const rowHeight = 44
const beyond = 10
const step = 5

export interface VirtualRowsProps<Row> {
  readonly rows: readonly Row[]
  readonly label: string
  /** A sticky header row. */
  readonly head?: ComponentChildren
  /** Renders the cells of a row. */
  readonly children: (row: Row) => ComponentChildren
  readonly kind?: string
}

/** A list of any length. Only the visible rows and some around them are rendered. */
export function VirtualRows<Row>({ rows, label, head, children, kind = '' }: VirtualRowsProps<Row>) {
  const [seen, setSeen] = useState(0)
  // After filtering there may be fewer rows than the scroll position.
  const first = Math.max(0, Math.min(seen, rows.length - 1) - beyond)
  const visible = rows.slice(first, first + Math.ceil(innerHeight / rowHeight) + 2 * beyond)
  const headRows = head === undefined ? 0 : 1
  return (
    <div
      class={`scroller flush ${kind}`}
      tabIndex={0}
      role="grid"
      aria-rowcount={rows.length + headRows}
      aria-label={label}
      onScroll={(event) => setSeen(steppedTo(event.currentTarget.scrollTop))}
    >
      {head}
      <div class="virtual" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {visible.map((row, index) => (
            <div class="row" role="row" aria-rowindex={first + index + 1 + headRows} key={first + index}>
              {children(row)}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

/** Rounds the scroll position to every fifth row, so that the rows in between need no new rendering. */
function steppedTo(top: number): number {
  return Math.floor(top / rowHeight / step) * step
}
