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
        description: '`aggressive` also redacts numbers that only look like phone or identity numbers.',
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
      .meta({
        title: 'Replacement',
        description: '`tag` inserts a tag such as `<EMAIL>`, `mask` one `*` per character, and `remove` nothing.',
      })
      .default('tag'),
  })
  .meta({ id: 'RedactPII', title: 'Redact personal data' })

/** Redaction options for the Markdown of a page. Parses to `undefined` if nothing is redacted. */
export const redactPII = z
  .union([
    z.null().transform(() => undefined),
    z.boolean().transform((on) => (on ? choice.parse({}) : undefined)),
    choice,
  ])
  .meta({
    title: 'Redact personal data',
    description:
      'Replaces e-mail addresses, phone numbers, bank accounts, cards, identity numbers and secrets in the Markdown. Names of people and places are not redacted.',
    group: 'Content',
  })
  .optional()
