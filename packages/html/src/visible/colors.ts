/** A colour as red, green, blue (0 to 255) and opacity. */
export type Color = readonly [number, number, number, number]

const names: Readonly<Record<string, Color>> = {
  white: [255, 255, 255, 1],
  black: [0, 0, 0, 1],
  transparent: [0, 0, 0, 0],
  red: [255, 0, 0, 1],
  green: [0, 128, 0, 1],
  blue: [0, 0, 255, 1],
  yellow: [255, 255, 0, 1],
  gray: [128, 128, 128, 1],
  grey: [128, 128, 128, 1],
  silver: [192, 192, 192, 1],
  snow: [255, 250, 250, 1],
  ivory: [255, 255, 240, 1],
  whitesmoke: [245, 245, 245, 1],
  ghostwhite: [248, 248, 255, 1],
  floralwhite: [255, 250, 240, 1],
  navy: [0, 0, 128, 1],
}

/**
 * Returns a CSS colour in lower case as red, green, blue (0 to 255) and alpha (0 to 1), or `undefined` if its notation or name
 * is unknown. Few names are known, and of `hsl()` only black and white.
 */
export function readColor(value: string): Color | undefined {
  if (Object.hasOwn(names, value)) return names[value]
  const hex = /^#([\da-f]{3,8})$/.exec(value)?.[1]
  if (hex !== undefined) {
    const long = hex.length <= 4 ? hex.replaceAll(/./g, '$&$&') : hex
    if (long.length !== 6 && long.length !== 8) return undefined
    const at = (index: number): number => Number.parseInt(long.slice(index, index + 2), 16)
    return [at(0), at(2), at(4), long.length === 8 ? at(6) / 255 : 1]
  }
  const parts = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)(?:[\s,/]+([\d.]+)(%?))?\s*\)$/.exec(value)
  if (parts) {
    const alpha = parts[4] === undefined ? 1 : Number(parts[4]) / (parts[5] ? 100 : 1)
    return [Number(parts[1]), Number(parts[2]), Number(parts[3]), alpha]
  }
  const hsl = /^hsla?\(\s*[\d.]+(?:deg)?[\s,]+([\d.]+)%[\s,]+([\d.]+)%\s*\)$/.exec(value)
  if (hsl && (Number(hsl[2]) === 100 || Number(hsl[2]) === 0))
    return Number(hsl[2]) === 0 ? names['black'] : names['white']
  return undefined
}

const declared = /(?:^|[;{\s])(-webkit-text-fill-color|color|background(?:-color)?)\s*:\s*([^;}!]{1,40})/gi

export interface DeclaredColor {
  readonly isBackground: boolean
  readonly value: string
  readonly color: Color
}

const noColors: readonly DeclaredColor[] = []

/** Returns the foreground and background colours in declarations. Values that are not known colours are skipped. */
export function colorsIn(declarations: string): readonly DeclaredColor[] {
  if (!/color|background/i.test(declarations)) return noColors
  const found: DeclaredColor[] = []
  declared.lastIndex = 0
  for (let match = declared.exec(declarations); match; match = declared.exec(declarations)) {
    const value = match[2]!.trim().toLowerCase()
    const color = readColor(value)
    if (color) found.push({ isBackground: match[1]!.startsWith('b') || match[1]!.startsWith('B'), value, color })
  }
  return found
}

const maxColors = 48

export interface DeclaredColors {
  readonly text: readonly Color[]
  readonly background: readonly Color[]
}

/** Returns the distinct colours of text and of backgrounds in declarations, at most 48 of each. */
export function declaredColors(sources: Iterable<string>): DeclaredColors {
  const text = new Map<string, Color>()
  const background = new Map<string, Color>()
  for (const source of sources) {
    for (const { isBackground, value, color } of colorsIn(source)) {
      const map = isBackground ? background : text
      if (map.size < maxColors) map.set(value, color)
    }
  }
  return { text: [...text.values()], background: [...background.values()] }
}

/** Returns whether the two colours are too similar to tell apart: the contrast ratio of their luminances is below 1.06. */
export function isSameColor(one: Color, other: Color): boolean {
  return one === other || isSameLuminance(luminance(one), luminance(other))
}

/**
 * Returns whether colours of these luminances (0 to 1) are too similar to tell apart: their contrast ratio is below 1.06.
 */
export function isSameLuminance(one: number, other: number): boolean {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) < minContrast
}

const minContrast = 1.06

/** Returns the relative luminance of a colour, from 0 (black) to 1 (white). Ignores alpha. */
export function luminance([red, green, blue]: Color): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const part = Math.min(channel, 255) / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
