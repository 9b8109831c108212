import { findQuote, type PageOfBlocks, type PlacedValue, type TextPlace } from './blocks.ts'

/** Source of a value on the page. */
export interface Evidence extends TextPlace {
  readonly method?: string
  readonly selector?: string
  readonly isGrounded: boolean
}

/** Returns the page and the block that contain a quote, such as `page 2, block p2.b5`. */
export function placeOf(pages: readonly PageOfBlocks[] | undefined, place: TextPlace): string | undefined {
  const found = pages && findQuote(pages, place)
  return found && `page ${found.page}, block ${found.id}`
}

/** Maximum number of values that are searched in the blocks of a file. */
const maxPlaced = 500

/** Returns the values of the format `json` that were found in a block of a file, of the first 500 that the page has. */
export function placedValues(
  data: unknown,
  fields: Readonly<Record<string, Evidence>>,
  pages: readonly PageOfBlocks[],
): readonly PlacedValue[] {
  const grounded = Object.entries(fields).filter(([, { isGrounded }]) => isGrounded)
  return grounded.slice(0, maxPlaced).flatMap(([pointer, evidence]) => {
    const place = findQuote(pages, evidence)
    if (!place) return []
    return [{ ...place, name: nameOf(pointer), value: textOf(valueAt(data, pointer)), quote: evidence.quote ?? '' }]
  })
}

/** Returns a JSON Pointer as a name, such as `items.0.price`. */
export function nameOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.')
}

/** Resolves a JSON Pointer. */
export function valueAt(data: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], data)
}

/** Returns a value as a string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
