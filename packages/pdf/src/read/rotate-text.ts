import type { Rule, TextItem } from '../types.ts'

/** A text run in page coordinates, with its direction in radians. */
export type PlacedText = Omit<TextItem, 'angle' | 'link'> & { readonly direction: number }

/**
 * Rotates each text run so that it runs to the right. Its `angle` is its direction relative to that of most text, in degrees
 * rounded to 30. Lines are rotated with the direction of most text.
 */
export function rotateText(
  items: readonly PlacedText[],
  rules: readonly Rule[],
): { readonly items: readonly TextItem[]; readonly rules: readonly Rule[] } {
  const charactersByAngle = new Map<number, number>()
  const all = items.map(({ direction, ...item }) => {
    const angle = degrees(direction)
    charactersByAngle.set(angle, (charactersByAngle.get(angle) ?? 0) + item.text.length)
    const [x, y] = turn(item.x, item.y, angle)
    return { ...item, x, y, angle }
  })
  const [main] = [...charactersByAngle].toSorted((a, b) => b[1] - a[1])[0] ?? [0]
  for (const item of all) item.angle = (item.angle - main + 360) % 360
  return { items: all, rules: main === 0 ? rules : rules.map((rule) => turnBox(rule, main)) }
}

/** Rounds to the nearest of twelve directions, so that nearly horizontal text counts as horizontal. */
function degrees(direction: number): number {
  return (((Math.round((direction * 180) / Math.PI / 30) * 30) % 360) + 360) % 360
}

function turn(x: number, y: number, angle: number): readonly [number, number] {
  if (angle === 0) return [x, y]
  const radians = (angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  return [x * cos + y * sin, y * cos - x * sin]
}

function turnBox(box: Rule, angle: number): Rule {
  const [x1, y1] = turn(box.left, box.top, angle)
  const [x2, y2] = turn(box.right, box.bottom, angle)
  return { left: Math.min(x1, x2), right: Math.max(x1, x2), top: Math.min(y1, y2), bottom: Math.max(y1, y2) }
}
