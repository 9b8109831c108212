import { z } from 'zod'

const entities = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const
const found = ['EMAIL', 'PHONE', 'FINANCIAL', 'SECRET'] as const

type Found = (typeof found)[number]

const isFound = (entity: string): entity is Found => (found as readonly string[]).includes(entity)

const choice = z
  .strictObject({
    mode: z
      .enum(['accurate', 'aggressive', 'fast'])
      .meta({
        title: 'Mode',
        description: '`aggressive` also takes numbers that only look like a phone or identity number.',
      })
      .default('accurate'),
    entities: z
      .array(z.enum(entities))
      .max(20)
      .superRefine((list, context) => {
        const missing = list.filter((entity) => !isFound(entity))
        if (missing.length === 0) return
        const message = `${[...new Set(missing)].join(' and ')} cannot be found by patterns. Use ${found.join(', ')}.`
        context.addIssue({ code: 'custom', message })
      })
      .transform((list) => list.filter(isFound))
      .meta({ title: 'Entities', description: 'What to redact: `EMAIL`, `PHONE`, `FINANCIAL`, `SECRET`.' })
      .default([...found]),
    replaceStyle: z
      .enum(['tag', 'mask', 'remove'])
      .meta({ title: 'Replacement', description: 'A tag such as `<EMAIL>`, as many `*`, or nothing.' })
      .default('tag'),
  })
  .meta({ id: 'RedactPII', title: 'Redact personal data' })

/** What to redact in the Markdown of a page. `undefined` for nothing. */
export const redactPII = z
  .union([
    z.null().transform(() => undefined),
    z.boolean().transform((on) => (on ? choice.parse({}) : undefined)),
    choice,
  ])
  .meta({
    title: 'Redact personal data',
    description:
      'Replaces e-mail addresses, phone numbers, bank accounts, cards, identity numbers and secrets in the Markdown. Names and places stay.',
    group: 'Content',
  })
  .optional()
