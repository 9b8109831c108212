import { number, statusSign } from '../lib/format.ts'
import type { PageRow } from '../lib/job.ts'

const order = ['ok', 'moved', 'refused', 'broken', 'none'] as const

/** How a job stands, as one bar: shares by status, and what is left. */
export function ShareBar({
  pages,
  failed,
  total,
}: {
  readonly pages: readonly PageRow[]
  readonly failed: number
  readonly total: number
}) {
  const counts = new Map<string, number>()
  for (const { status } of pages) {
    const { kind } = statusSign(status)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  counts.set('broken', (counts.get('broken') ?? 0) + failed)
  const all = Math.max(total, pages.length + failed, 1)
  let at = 0
  return (
    <div
      class="progress"
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={all}
      aria-valuenow={pages.length + failed}
      aria-label="Pages done"
    >
      <svg viewBox={`0 0 ${all} 1`} preserveAspectRatio="none">
        {order.map((kind) => {
          const width = counts.get(kind) ?? 0
          const x = at
          at += width
          return width > 0 && <rect key={kind} class={`fill-${kind}`} x={x} y={0} width={width} height={1} />
        })}
      </svg>
    </div>
  )
}

export interface BarDatum {
  readonly label: string
  readonly value: number
  readonly kind?: string
}

const plot = { width: 640, height: 180, left: 48, bottom: 24, top: 8 }

/** Bars from zero, with a sentence, and the numbers behind a button. */
export function Bars({
  data,
  title,
  unit,
}: {
  readonly data: readonly BarDatum[]
  readonly title: string
  readonly unit: string
}) {
  const most = Math.max(...data.map(({ value }) => value), 1)
  const ceiling = roundUp(most)
  const inner = { width: plot.width - plot.left, height: plot.height - plot.top - plot.bottom }
  const step = inner.width / Math.max(data.length, 1)
  const sum = data.reduce((all, { value }) => all + value, 0)
  const every = Math.ceil(data.length / 8)
  return (
    <figure>
      <figcaption>
        <b>{title}</b>: {number(sum)} {unit} in all, {number(most)} at the most.
      </figcaption>
      <svg viewBox={`0 0 ${plot.width} ${plot.height}`} role="img" aria-label={`${title}: ${number(sum)} ${unit}`}>
        {[0, 0.5, 1].map((share) => {
          const y = plot.top + inner.height * (1 - share)
          return (
            <g key={share}>
              <line x1={plot.left} x2={plot.width} y1={y} y2={y} stroke="var(--hair)" />
              <text class="quiet" x={plot.left - 6} y={y + 4} text-anchor="end">
                {number(ceiling * share)}
              </text>
            </g>
          )
        })}
        {data.map(({ label, value, kind }, index) => {
          const height = (value / ceiling) * inner.height
          const x = plot.left + index * step
          return (
            <g key={label}>
              <rect
                class={`fill-${kind ?? 'series'}`}
                x={x + step * 0.15}
                width={Math.max(1, step * 0.7)}
                y={plot.top + inner.height - height}
                height={height}
              >
                <title>{`${label}: ${number(value)}`}</title>
              </rect>
              {index % every === 0 && (
                <text class="quiet" x={x + step / 2} y={plot.height - 6} text-anchor="middle">
                  {label}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <details>
        <summary class="small">Numbers</summary>
        <table class="plain">
          <tbody>
            {data.map(({ label, value }) => (
              <tr key={label}>
                <th>{label}</th>
                <td>{number(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const steps = [1, 2, 5, 10].map((factor) => factor * power)
  return steps.find((candidate) => candidate >= value && candidate % 2 === 0) ?? 10 * power
}
