// SVG plots with one axis from zero, a summary above and the numbers below.
import { fragment, type Markup } from './markup.ts'
import { count, roundUp } from './numbers.ts'

export interface Bar {
  readonly label: string
  /** Segments of the bar by CSS class: a status kind, or `series`. */
  readonly parts: Readonly<Record<string, number>>
}

export interface Mark {
  readonly label: string
  /** Position in bars: 1.5 is the middle of the second bar. */
  readonly at: number
}

export interface Plot {
  readonly title: string
  readonly caption: string
  readonly bars: readonly Bar[]
  readonly marks?: readonly Mark[]
  readonly unit: string
}

const size = { width: 520, height: 190, left: 40, bottom: 26, top: 18, letter: 7 }

/** Draws a bar chart as an SVG figure, with a table of its numbers. */
export function bars({ title, caption, bars: all, marks = [], unit }: Plot): Markup {
  const ceiling = roundUp(Math.max(...all.map(sumOf), 1))
  const inner = { width: size.width - size.left, height: size.height - size.top - size.bottom }
  const step = inner.width / Math.max(all.length, 1)
  const longest = Math.max(...all.map(({ label }) => label.length), 1)
  const every = Math.ceil((longest * size.letter + 8) / step)
  const lines = (ceiling === 1 ? [0, 1] : [0, ceiling / 2, ceiling]).map((value) => {
    const y = Math.round(size.top + inner.height * (1 - value / ceiling))
    return fragment`<path class="g" d="M${size.left} ${y}H${size.width}" /><text
        x="${size.left - 6}"
        y="${y + 4}"
        text-anchor="end"
        >${count(value)}</text
      >`
  })
  return fragment`<figure>
    <figcaption><b>${title}</b><br />${caption}</figcaption>
    <svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${title}. ${caption}">
      ${lines}${all.map((bar, index) =>
        oneBar(bar, {
          x: size.left + (index + 0.5) * step,
          width: Math.max(1, Math.min(56, step * 0.75)),
          scale: inner.height / ceiling,
          isNamed: index % every === 0,
        }),
      )}${marks.map(({ label, at }) => {
        const x = (size.left + at * step).toFixed(1)
        return fragment`<path class="m" d="M${x} ${size.top - 4}V${size.height - size.bottom}" /><text
            class="n"
            x="${x}"
            y="10"
            text-anchor="${at > all.length * 0.8 ? 'end' : 'start'}"
            >${label}</text
          >`
      })}
    </svg>
    <details>
      <summary>Numbers</summary>
      <table>
        <tbody>
          ${all.map(
            (bar) =>
              fragment`<tr>
                <th>${bar.label}</th>
                <td>${count(sumOf(bar))} ${unit}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </figure>`
}

interface Place {
  readonly x: number
  readonly width: number
  readonly scale: number
  readonly isNamed: boolean
}

function oneBar({ label, parts }: Bar, { x, width, scale, isNamed }: Place): Markup {
  let y = size.height - size.bottom
  const rects = Object.entries(parts).map(([kind, value]) => {
    const height = value * scale
    y -= height
    return (
      height > 0 &&
      fragment`<rect
        class="${kind}"
        x="${(x - width / 2).toFixed(1)}"
        y="${y.toFixed(1)}"
        width="${width.toFixed(1)}"
        height="${height.toFixed(1)}"
      />`
    )
  })
  const name =
    isNamed && fragment`<text x="${x.toFixed(1)}" y="${size.height - 8}" text-anchor="middle">${label}</text>`
  return fragment`<g><title>${label}: ${count(sumOf({ label, parts }))}</title>${rects}${name}</g>`
}

function sumOf({ parts }: Bar): number {
  return Object.values(parts).reduce((sum, value) => sum + value, 0)
}

/** Plots shares of a total as one bar with a legend, without values of 0. */
export function shares(
  title: string,
  parts: readonly { readonly kind: string; readonly label: string; readonly value: number }[],
): Markup {
  const all = parts.reduce((sum, { value }) => sum + value, 0)
  let x = 0
  const rects = parts.map(({ kind, label, value }) => {
    const width = (value / Math.max(all, 1)) * 1_000
    x += width
    return (
      value > 0 &&
      fragment`<rect class="${kind}" x="${(x - width).toFixed(1)}" width="${width.toFixed(1)}" height="16"
        ><title>${label}: ${count(value)}</title></rect
      >`
    )
  })
  return fragment`<figure class="shares">
    <svg viewBox="0 0 1000 16" preserveAspectRatio="none" role="img" aria-label="${title}">${rects}</svg>
    <figcaption>
      ${parts
        .filter(({ value }) => value > 0)
        .map(({ kind, label, value }) => fragment`<span class="s ${kind}">${label} <b>${count(value)}</b></span> `)}
    </figcaption>
  </figure>`
}

/**
 * Returns a histogram whose bins are from one power of two to the next, from the smallest to the largest value. Values below 1
 * count as 1. Without values it has no bars. `place` returns the position of a value, in bars from the first one.
 */
export function doubling(
  values: readonly number[],
  name: (value: number) => string,
): { readonly bars: readonly Bar[]; readonly place: (value: number) => number } {
  const binOf = (value: number): number => Math.floor(Math.log2(Math.max(value, 1)))
  const bins = values.map(binOf)
  const low = bins.reduce((least, bin) => Math.min(least, bin), Infinity)
  const high = bins.reduce((most, bin) => Math.max(most, bin), -Infinity)
  if (values.length === 0) return { bars: [], place: () => 0 }
  const counts = new Map<number, number>()
  for (const bin of bins) counts.set(bin, (counts.get(bin) ?? 0) + 1)
  return {
    bars: Array.from({ length: high - low + 1 }, (_, index) => ({
      label: `≥ ${name(2 ** (low + index))}`,
      parts: { series: counts.get(low + index) ?? 0 },
    })),
    place: (value) => Math.log2(Math.max(value, 1)) - low,
  }
}
