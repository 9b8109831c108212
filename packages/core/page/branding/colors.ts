// Parses colors in any CSS notation.

/** Red, green, blue from 0 to 255, and opacity from 0 to 1. */
export interface Rgba {
  readonly r: number
  readonly g: number
  readonly b: number
  readonly a: number
}

const known = new Map<string, Rgba | undefined>()
let pen: CanvasRenderingContext2D | null | undefined

/** Parses a color in any notation that the browser supports. Returns `undefined` for other strings. */
export function readColor(text: string): Rgba | undefined {
  const value = text.trim()
  if (known.has(value)) return known.get(value)
  const color = CSS.supports('color', value) ? painted(value) : undefined
  known.set(value, color)
  return color
}

/** Paints one pixel and reads it, because CSS has more notations than we parse. */
function painted(value: string): Rgba | undefined {
  const numbers = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(value)
  if (numbers) {
    const [r = 0, g = 0, b = 0] = numbers.slice(1, 4).map(Number)
    return { r, g, b, a: Number(numbers[4] ?? 1) }
  }
  if (pen === undefined) {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 1
    pen = canvas.getContext('2d', { willReadFrequently: true })
  }
  if (!pen) return undefined
  pen.clearRect(0, 0, 1, 1)
  pen.fillStyle = value
  pen.fillRect(0, 0, 1, 1)
  const [r = 0, g = 0, b = 0, a = 0] = pen.getImageData(0, 0, 1, 1).data
  return { r, g, b, a: a / 255 }
}

/** Formats a color as `#RRGGBB`, without its opacity. */
export function hex({ r, g, b }: Rgba): string {
  return `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`.toUpperCase()
}

/** Returns whether a color is grey or nearly grey. */
export function isNeutral({ r, g, b }: Rgba): boolean {
  return Math.max(r, g, b) - Math.min(r, g, b) < 24
}

/** Returns the perceived brightness, from 0 to 1. */
export function brightness({ r, g, b }: Rgba): number {
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255
}

/** Returns the first background color that is at least half opaque, of the element or an ancestor. White if there is none. */
export function backgroundOf(element: Element | null): Rgba {
  for (let at = element; at; at = at.parentElement) {
    const color = readColor(getComputedStyle(at).backgroundColor)
    if (color && color.a >= 0.5) return color
  }
  return { r: 255, g: 255, b: 255, a: 1 }
}
