import { pixels, shownElements, type Shown } from './elements.ts'
import { Weights } from './weights.ts'

const units = [8, 6, 5, 4] as const

function top(weights: Weights): string | undefined {
  return weights.ranked()[0]
}

function topPixels(weights: Weights): number | undefined {
  return pixels(top(weights) ?? '')
}

/** Returns the base unit in pixels: the largest of which 80% of the distances are multiples, otherwise the best match. */
function unitOf(distances: readonly number[]): number | undefined {
  if (distances.length === 0) return undefined
  const fit = (unit: number): number => distances.filter((distance) => distance % unit === 0).length / distances.length
  return units.find((unit) => fit(unit) >= 0.8) ?? [...units].sort((one, other) => fit(other) - fit(one))[0]
}

/** Reads spacing, corner radius, transitions and layout widths of a page. */
export function readSpaces(buttons: readonly Shown[]) {
  const distances: number[] = []
  const [above, beside, margins, gaps] = [new Weights(), new Weights(), new Weights(), new Weights()]
  const [radii, durations, easings] = [new Weights(), new Weights(), new Weights()]
  const note = (weights: Weights, text: string): void => {
    const value = pixels(text)
    if (value === undefined || value <= 0 || value > 200) return
    distances.push(value)
    weights.add(text, 1)
  }
  const parts = shownElements('header,nav,main,section,article,footer,aside,div,ul,form,h1,h2,h3,p')
  for (const { style } of [...parts, ...buttons]) {
    note(above, style.paddingTop)
    note(beside, style.paddingLeft)
    note(margins, style.marginBottom)
    note(gaps, style.columnGap)
  }
  for (const { style } of [...buttons, ...shownElements('input,textarea,[class*=card i]')]) {
    if ((pixels(style.borderTopLeftRadius) ?? 0) > 0) radii.add(style.borderTopLeftRadius, 1)
    const [duration = '0s'] = style.transitionDuration.split(',')
    if (duration === '0s') continue
    durations.add(duration.trim(), 1)
    easings.add((/^[^,(]+(?:\([^)]*\))?/.exec(style.transitionTimingFunction)?.[0] ?? '').trim(), 1)
  }
  const widths = parts.map(({ style }) => pixels(style.maxWidth) ?? 0).filter((width) => width >= 600 && width <= 2_000)
  const grid = parts.find(({ style }) => style.display.includes('grid'))
  const heightOf = (selector: string): string | undefined => {
    const box = shownElements(selector)[0]?.box
    return box && `${Math.round(box.height)}px`
  }
  return {
    spacing: {
      ...{ baseUnit: unitOf(distances), borderRadius: top(radii), gridGutter: topPixels(gaps) },
      padding: { vertical: topPixels(above), horizontal: topPixels(beside) },
      margins: { vertical: topPixels(margins) },
    },
    animations: { transitionDuration: top(durations), easing: top(easings) },
    layout: {
      grid: {
        columns: grid
          ? grid.style.gridTemplateColumns.split(' ').filter((part) => part.endsWith('px')).length || undefined
          : undefined,
        maxWidth: widths.length > 0 ? `${Math.max(...widths)}px` : undefined,
      },
      headerHeight: heightOf('header,[role=banner]'),
      footerHeight: heightOf('footer,[role=contentinfo]'),
    },
  }
}
