// Rules that determine what counts as a change.
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

/** Rules that determine what counts as a change. */
export const change = z
  .strictObject({
    ignore: z
      .strictObject({
        selectors: z
          .array(z.string().min(1).max(500))
          .max(100)
          .meta({ title: 'Selectors', description: 'Selectors of elements to ignore.' })
          .default([]),
        patterns: patterns.meta({ title: 'Patterns', description: 'Patterns (RE2) of lines to ignore.' }).default([]),
      })
      .prefault({}),
    only: patterns
      .meta({ title: 'Only', description: 'Patterns (RE2). Only changes with a matching added or removed line count.' })
      .default([]),
    leastCharacters: z
      .int()
      .min(0)
      .meta({ title: 'Characters', description: 'The minimum number of added and removed characters.' })
      .default(0),
    values: z
      .array(z.string().min(1).max(64))
      .max(10)
      .meta({ title: 'Values', description: 'The formats whose values are compared, field by field.' })
      .default(['json']),
    fields: z
      .array(path)
      .max(100)
      .meta({ title: 'Fields', description: 'Fields to compare, such as plans[].price. Default: all.' })
      .default([]),
    items: z
      .array(z.strictObject({ at: path, key: path.optional() }))
      .max(20)
      .meta({
        title: 'Items',
        description: 'Lists whose items are matched by `key`, not by position.',
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
      .meta({ title: 'Thresholds', description: 'The minimum change of a number.' })
      .default([]),
  })
  .meta({ id: 'MonitorChange', title: 'Change', description: 'The differences that count as a change.' })

export type ChangeRules = z.output<typeof change>
