// What counts as a change.
import { compilePatterns, isPatternProblem } from '@harvestman/json-schema'
import { z } from 'zod'

const patterns = z
  .array(z.string().max(2_000))
  .max(100)
  .superRefine((sources, context) => {
    const compiled = compilePatterns(sources)
    if (isPatternProblem(compiled)) context.addIssue({ code: 'custom', message: compiled.problem })
  })

const path = z.string().min(1).max(200)

/** The rules of what counts as a change. */
export const change = z
  .strictObject({
    ignore: z
      .strictObject({
        selectors: z
          .array(z.string().min(1).max(500))
          .max(100)
          .meta({ title: 'Selectors', description: 'Elements that are not looked at.' })
          .default([]),
        patterns: patterns
          .meta({ title: 'Patterns', description: 'Lines that a pattern (RE2) finds are not compared.' })
          .default([]),
      })
      .prefault({}),
    only: patterns
      .meta({ title: 'Only', description: 'Patterns (RE2): a change counts when one finds a line that came or went.' })
      .default([]),
    leastCharacters: z
      .int()
      .min(0)
      .meta({ title: 'Characters', description: 'How many characters of lines must have come or gone at the least.' })
      .default(0),
    values: z
      .array(z.string().min(1).max(64))
      .max(10)
      .meta({ title: 'Values', description: 'The formats whose values are compared, field by field.' })
      .default(['json']),
    fields: z
      .array(path)
      .max(100)
      .meta({ title: 'Fields', description: 'Only these count, such as plans[].price; all when empty.' })
      .default([]),
    items: z
      .array(z.strictObject({ at: path, key: path.optional() }))
      .max(20)
      .meta({
        title: 'Items',
        description: 'Lists that are compared by what is in them, and not by place: items are told apart by `key`.',
      })
      .default([]),
    thresholds: z
      .array(
        z
          .strictObject({ field: path, percent: z.number().gt(0).optional(), by: z.number().gt(0).optional() })
          .refine(({ percent, by }) => (percent === undefined) !== (by === undefined), {
            message: 'needs exactly one of percent and by',
          }),
      )
      .max(50)
      .meta({ title: 'Thresholds', description: 'By how much a number must have changed to count.' })
      .default([]),
  })
  .meta({ id: 'MonitorChange', title: 'Change', description: 'What counts as a change.' })

export type ChangeRules = z.output<typeof change>
