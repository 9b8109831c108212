import type { LearnedRead } from '../reading/learned/types.ts'
import { isRecord, type Json, type JsonSchema } from '@harvestman/ports'

const step = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
const deepest = 6

/**
 * Returns JSON Pointers of fields that are doubtful, or that were not found although the page is not known to lack them. Empty if
 * every field is settled.
 */
export function missingOf(
  schema: JsonSchema,
  { value, doubts, absent }: Pick<LearnedRead, 'value' | 'doubts' | 'absent'>,
): readonly string[] {
  const settled = new Set(absent)
  const missing = (rule: JsonSchema, at: Json | undefined, pointer: string, depth: number): readonly string[] => {
    const { properties } = rule
    if (!isRecord(properties) || depth > deepest) return []
    return Object.entries(properties).flatMap(([name, inner]) => {
      const own = pointer + step(name)
      if (own in doubts) return [own]
      const found = isRecord(at) ? at[name] : undefined
      if (isRecord(inner) && isRecord(inner['properties'])) return missing(inner, found, own, depth + 1)
      return found !== undefined || settled.has(own) ? [] : [own]
    })
  }
  return missing(schema, value, '', 0)
}
