// Determines whether and how the declared style of an element hides it.
import type { Style } from './cascade.ts'

/** How text is hidden. */
export type HiddenReason =
  | 'display'
  | 'visibility'
  | 'opacity'
  | 'size'
  | 'clip'
  | 'position'
  | 'indent'
  | 'font-size'
  | 'color'
  | 'dialog'

/** The property with which a rule shows an element that is hidden in this way. */
export const shownBy: Readonly<Partial<Record<HiddenReason, string>>> = {
  display: 'display',
  visibility: 'visibility',
  opacity: 'opacity',
  size: 'height',
  position: 'left',
}

/** Returns how the style hides the element with all its descendants, or `undefined` if it does not. */
export function boxReason(style: Style): HiddenReason | undefined {
  if (style.size === 0) return undefined
  const get = (name: string): string => style.get(name) ?? ''
  if (get('display') === 'none') return 'display'
  if (get('content-visibility') === 'hidden') return 'display'
  const opacity = get('opacity')
  if (opacity !== '' && numberOf(opacity) < (opacity.endsWith('%') ? 5 : 0.05)) return 'opacity'
  if (isClipped(style, get)) return 'clip'
  if (isFlat(get)) return 'size'
  if (isOff(get)) return 'position'
  return undefined
}

const numberOf = (value: string): number => (/^[-+.\d]/.test(value) ? Number.parseFloat(value) : Number.NaN)

function isClipped(style: Style, get: (name: string) => string): boolean {
  const path = get('clip-path')
  if (/^inset\(\s*(?:50|[6-9]\d|100)%/.test(path) || /^(?:circle|ellipse)\(\s*0/.test(path)) return true
  if (/^polygon\(\s*0(?:px|%)?\s+0(?:px|%)?(?:\s*,\s*0(?:px|%)?\s+0(?:px|%)?)+\s*\)$/.test(path)) return true
  if (!style.has('clip') || !/^(?:absolute|fixed)$/.test(get('position'))) return false
  const edges = /^rect\(([^)]*)\)$/
    .exec(get('clip'))?.[1]
    ?.split(/[\s,]+/)
    .filter(Boolean)
    .map(numberOf)
  if (edges?.length !== 4) return false
  const [top, right, bottom, left] = edges as [number, number, number, number]
  return bottom - top <= 1 || right - left <= 1
}

const hides = /hidden|clip/

function isFlat(get: (name: string) => string): boolean {
  if (/scale(?:3d|x|y)?\(\s*0(?:\.0+)?\s*[,)]/.test(get('transform')) || /^0(?:\.0+)?(?:\s|$)/.test(get('scale')))
    return true
  if (!hides.test(`${get('overflow')} ${get('overflow-x')} ${get('overflow-y')}`)) return false
  const isTiny = (name: string): boolean =>
    /^[01](?:\.\d+)?(?:px|em|rem|%|vh|vw)?$/.test(get(name)) && numberOf(get(name)) <= 1
  const wide = get('width')
  if (isTiny('max-width') || (isTiny('width') && !/^1(?:em|rem)$/.test(wide))) return true
  const padding = `${get('padding')} ${get('padding-top')} ${get('padding-bottom')}`
  // A box of no height with vertical padding is visible: it is the usual way to keep a video's aspect ratio.
  return (
    !/[1-9]/.test(padding) && ['height', 'max-height'].some((name) => isTiny(name) && !/^1(?:em|rem)$/.test(get(name)))
  )
}

const farPixels = 500

/** Returns whether an offset moves an element completely off the page, to the left or the top. */
function isFar(value: string): boolean {
  const [, number, unit] = /^(-?[\d.]+)(px|em|rem|ex|ch|vw|vh|%|in|cm|mm|pt)?$/.exec(value) ?? []
  if (number === undefined) return false
  const size = Number(number)
  if (unit === '%' || unit === 'vw' || unit === 'vh') return size <= -100
  const pixels = { em: 16, rem: 16, ex: 8, ch: 8, in: 96, cm: 38, mm: 4, pt: 1.3 }[unit ?? ''] ?? 1
  return size * pixels <= -farPixels
}

const isFarRight = (value: string): boolean => /^[\d.]+px$/.test(value) && numberOf(value) >= 5_000

function isOff(get: (name: string) => string): boolean {
  if (/^(?:absolute|fixed|relative)$/.test(get('position'))) {
    if (['left', 'top', 'right', 'bottom'].some((side) => isFar(get(side)))) return true
    if (isFarRight(get('left')) || isFarRight(get('top'))) return true
  }
  if (isFar(get('margin-left')) || (isFar(get('margin-top')) && !get('margin-top').endsWith('%'))) return true
  const moved = /translate(?:3d|x|y)?\(([^)]*)\)/.exec(get('transform'))?.[1]
  return (
    moved !== undefined &&
    moved.split(',').some((each) => isFar(each.trim()) && !/^-(?:100|1[0-4]\d)%$/.test(each.trim()))
  )
}

/** Returns whether `text-indent` moves the first line out of its box. */
export function isIndentedAway(style: Style): boolean {
  const indent = style.get('text-indent')
  if (indent === undefined) return false
  return isFar(indent) || (/^(?:1\d\d)%$/.test(indent) && hides.test(style.get('overflow') ?? ''))
}

/**
 * Returns `none` if the font size is invisibly small (at most one pixel), `relative` if it depends on the parent,
 * `seen` for other sizes, and `undefined` if it is not set.
 */
function fontSizeOf(style: Style): 'none' | 'seen' | 'relative' | undefined {
  const value =
    style.get('font-size') ?? /(?:^|\s)([\d.]+(?:px|em|rem|pt|%)?)\s*(?:\/|\s)/.exec(style.get('font') ?? '')?.[1]
  if (value === undefined || /^(?:inherit|unset)$/.test(value)) return undefined
  const [, number, unit] = /^([\d.]+)(px|pt|em|rem|%)?$/.exec(value) ?? []
  if (number === undefined) return /^(?:smaller|larger)$/.test(value) ? 'relative' : 'seen'
  const size = Number(number) * ({ em: 16, rem: 16, '%': 0.16, pt: 1.3 }[unit ?? ''] ?? 1)
  if (size <= 1) return 'none'
  return unit === 'em' || unit === '%' ? 'relative' : 'seen'
}

/** Returns whether `visibility` hides the text of an element, or `undefined` if it is not set or inherited. */
export function isInvisible(style: Style): boolean | undefined {
  const value = style.get('visibility')
  if (value === undefined || value === 'inherit' || value === 'unset') return undefined
  return value === 'hidden' || value === 'collapse'
}

/** Returns whether the font size hides the text of an element, or `undefined` if it is not set or depends on the parent. */
export function hasNoSize(style: Style): boolean | undefined {
  const size = fontSizeOf(style)
  return size === undefined || size === 'relative' ? undefined : size === 'none'
}
