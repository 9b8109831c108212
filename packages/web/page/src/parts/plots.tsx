import { useEffect, useRef, useState } from 'preact/hooks'

import { counted, number, statusSign, type StatusSign } from '../lib/format.ts'
import type { JobRow } from '@harvestman/client'

type StatusKind = StatusSign['kind']
export const statusKinds: readonly StatusKind[] = ['ok', 'moved', 'refused', 'broken', 'none']

/** Returns the status kind that determines a page's color. */
export function kindOf({ outcome, status }: JobRow): StatusKind {
  return outcome === 'failed' ? 'broken' : statusSign(status).kind
}

/** Progress bar of a job, with shares by status. */
export function ShareBar({ pages, total }: { readonly pages: readonly JobRow[]; readonly total: number }) {
  const counts = Map.groupBy(pages, kindOf)
  const all = Math.max(total, pages.length, 1)
  let at = 0
  return (
    <div
      class="progress"
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={all}
      aria-valuenow={pages.length}
      aria-label="Pages done"
    >
      <svg viewBox={`0 0 ${all} 1`} preserveAspectRatio="none">
        {statusKinds.map((kind) => {
          const width = counts.get(kind)?.length ?? 0
          const x = at
          at += width
          return width > 0 && <rect key={kind} class={`fill-${kind}`} x={x} y={0} width={width} height={1} />
        })}
      </svg>
    </div>
  )
}

/** Tracks the width of an element, so that plots are drawn at full size and their text is not scaled. */
export function useWidth(usual: number) {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(usual)
  useEffect(() => {
    if (!ref.current) return
    const observer = new ResizeObserver(
      ([entry]) => entry && setWidth(Math.max(200, Math.floor(entry.contentRect.width))),
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

export interface BarDatum {
  readonly label: string
  /** Segments of the bar by status kind; other names have the series color. */
  readonly parts: Readonly<Record<string, number>>
}

export function bar(label: string, value: number): BarDatum {
  return { label, parts: { series: value } }
}

const plot = { height: 200, left: 44, right: 20, bottom: 28, top: 12, widestBar: 64, label: 56 }

function sumOf({ parts }: BarDatum): number {
  return Object.values(parts).reduce((sum, value) => sum + value, 0)
}

interface BarsProps {
  readonly data: readonly BarDatum[]
  readonly title: string
  readonly unit: string
  /** Called with the first and last bar when bars were selected by dragging. */
  readonly choose?: (first: number, last: number) => void
}

/** Bar chart from zero, with a summary, and the numbers behind a button. */
export function Bars({ data, title, unit, choose }: BarsProps) {
  const { ref, width } = useWidth(640)
  const most = Math.max(...data.map(sumOf), 1)
  const ceiling = roundUp(most)
  const inner = { width: width - plot.left - plot.right, height: plot.height - plot.top - plot.bottom }
  const step = inner.width / Math.max(data.length, 1)
  const every = Math.ceil(plot.label / step)
  const total = data.reduce((all, datum) => all + sumOf(datum), 0)
  const drag = useDrag((x) => Math.min(data.length - 1, Math.max(0, Math.floor((x - plot.left) / step))), choose)
  return (
    <figure>
      <figcaption>
        <b>{title}</b>
        <br />
        {counted(total, unit)} in total, {number(most)} at the peak.
      </figcaption>
      <div ref={ref}>
        <svg
          viewBox={`0 0 ${width} ${plot.height}`}
          width={width}
          height={plot.height}
          role="img"
          aria-label={`${title}: ${counted(total, unit)} in total, ${number(most)} at the peak`}
          class={choose && 'draggable'}
          {...drag.handlers}
        >
          {drag.chosen && (
            <rect
              class="chosen"
              x={plot.left + drag.chosen[0] * step}
              y={plot.top}
              width={(drag.chosen[1] - drag.chosen[0] + 1) * step}
              height={inner.height}
            />
          )}
          {ticks(ceiling).map((value) => {
            const y = plot.top + inner.height * (1 - value / ceiling)
            return (
              <g key={value}>
                <line class="grid" x1={plot.left} x2={width} y1={y} y2={y} />
                <text class="quiet" x={plot.left - 8} y={y + 4} text-anchor="end">
                  {number(value)}
                </text>
              </g>
            )
          })}
          {data.map((datum, index) => (
            <Bar
              key={datum.label}
              datum={datum}
              x={plot.left + (index + 0.5) * step}
              width={Math.min(plot.widestBar, Math.max(1, step * 0.7))}
              scale={inner.height / ceiling}
              isNamed={(data.length - 1 - index) % every === 0}
            />
          ))}
        </svg>
      </div>
      <details class="numbers">
        <summary class="small">Numbers</summary>
        <div class="scroller">
          <table class="plain">
            <tbody>
              {data.map((datum) => (
                <tr key={datum.label}>
                  <th>{datum.label}</th>
                  <td>{number(sumOf(datum))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

/** Tracks the selection of bars by dragging. */
function useDrag(indexAt: (x: number) => number, choose: BarsProps['choose']) {
  const [chosen, setChosen] = useState<readonly [first: number, last: number] | undefined>()
  const start = useRef(0)
  if (!choose) return { chosen, handlers: {} }
  const at = ({ clientX, currentTarget }: PointerEvent): number =>
    indexAt(clientX - (currentTarget as SVGElement).getBoundingClientRect().left)
  const upTo = (event: PointerEvent): readonly [number, number] => {
    const now = at(event)
    return [Math.min(start.current, now), Math.max(start.current, now)]
  }
  const isDragging = (event: PointerEvent): boolean =>
    (event.currentTarget as SVGElement).hasPointerCapture(event.pointerId)
  const handlers = {
    onPointerDown: (event: PointerEvent): void => {
      ;(event.currentTarget as SVGElement).setPointerCapture(event.pointerId)
      start.current = at(event)
      setChosen(upTo(event))
    },
    onPointerMove: (event: PointerEvent): void => {
      if (isDragging(event)) setChosen(upTo(event))
    },
    onPointerUp: (event: PointerEvent): void => {
      if (isDragging(event)) choose(...upTo(event))
      setChosen(undefined)
    },
    onPointerCancel: (): void => setChosen(undefined),
  }
  return { chosen, handlers }
}

interface BarProps {
  readonly datum: BarDatum
  readonly x: number
  readonly width: number
  readonly scale: number
  readonly isNamed: boolean
}

function Bar({ datum, x, width, scale, isNamed }: BarProps) {
  let y = plot.height - plot.bottom
  return (
    <g>
      {Object.entries(datum.parts).map(([kind, value]) => {
        const height = value * scale
        y -= height
        return (
          height > 0 && <rect key={kind} class={`fill-${kind}`} x={x - width / 2} width={width} y={y} height={height} />
        )
      })}
      <title>{`${datum.label}: ${number(sumOf(datum))}`}</title>
      {isNamed && (
        <text class="quiet" x={x} y={plot.height - 8} text-anchor="middle">
          {datum.label}
        </text>
      )}
    </g>
  )
}

/** Rounds up to a number that is easy to read and to halve. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? 10 * power
}

function ticks(ceiling: number): readonly number[] {
  return ceiling === 1 ? [0, 1] : [0, ceiling / 2, ceiling]
}
