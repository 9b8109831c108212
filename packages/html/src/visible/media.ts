// The screens for which a page is read, and the media queries that they match.

/** The screens for which a page is read. Text on any of them is visible. */
export const screens = [
  { width: 1280, height: 800, isLarge: true },
  { width: 390, height: 844, isLarge: false },
  { width: 820, height: 1180, isLarge: false },
] as const
export const allWidths = 2 ** screens.length - 1

/**
 * Returns a bit mask of the `screens` that a media query list matches. A query with an unknown condition matches none. An empty
 * list matches all.
 */
export function fittingScreens(list: string): number {
  if (list.trim() === '') return allWidths
  const queries = list.toLowerCase().split(',')
  return screens.reduce((mask, screen, i) => mask | (queries.some((query) => fitsQuery(query, screen)) ? 1 << i : 0), 0)
}

type Screen = (typeof screens)[number]

function fitsQuery(query: string, screen: Screen): boolean {
  return query.split(/\band\b/).every((written) => {
    const part = written.trim().replace(/^only\s+/, '')
    if (/^not\b/.test(part)) return /^not\s+print$/.test(part)
    if (part === 'all' || part === 'screen') return true
    return fitsFeature(part, screen)
  })
}

function fitsFeature(part: string, screen: Screen): boolean {
  const [, edge, side, number, unit] = /^\(\s*(min|max)-(width|height)\s*:\s*([\d.]+)(px|em|rem)\s*\)$/.exec(part) ?? []
  if (edge !== undefined) {
    const size = Number(number) * (unit === 'px' ? 1 : 16)
    const own = side === 'width' ? screen.width : screen.height
    return edge === 'min' ? own >= size : own <= size
  }
  const [, relation, limit, rangeUnit] = /^\(\s*width\s*([<>]=?)\s*([\d.]+)(px|em|rem)\s*\)$/.exec(part) ?? []
  if (relation !== undefined) {
    const size = Number(limit) * (rangeUnit === 'px' ? 1 : 16)
    return relation.startsWith('<') ? screen.width <= size : screen.width >= size
  }
  if (/^\(\s*(?:hover(?:\s*:\s*hover)?|pointer\s*:\s*fine|orientation\s*:\s*landscape)\s*\)$/.test(part)) {
    return screen.isLarge
  }
  if (/^\(\s*(?:hover\s*:\s*none|pointer\s*:\s*coarse|orientation\s*:\s*portrait)\s*\)$/.test(part)) {
    return !screen.isLarge
  }
  return /^\(\s*(?:prefers-color-scheme\s*:\s*light|scripting\s*:\s*enabled|prefers-reduced-motion\s*:\s*no-preference)\s*\)$/.test(
    part,
  )
}
