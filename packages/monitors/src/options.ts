import { z } from 'zod'

/** Options of `monitors`. */
export const monitorsOptionsSchema = z.strictObject({
  lookEvery: z
    .int()
    .min(1_000)
    .max(3_600_000)
    .meta({
      title: 'Look',
      description: 'How often it is looked what is due, where nothing is known to be.',
      unit: 'ms',
    })
    .default(30_000),
  checksAtOnce: z
    .int()
    .min(1)
    .max(1_000)
    .meta({ title: 'Checks at once', description: 'The most checks that one engine works on at once.' })
    .default(8),
  mail: z
    .strictObject({
      host: z.string().min(1).max(253).meta({ title: 'Host', description: 'The mail server.' }),
      port: z.int().min(1).max(65_535).meta({ title: 'Port', description: 'Its port.' }).default(587),
      secure: z
        .boolean()
        .meta({ title: 'TLS', description: 'TLS from the first byte. Otherwise it begins when the server offers it.' })
        .default(false),
      user: z.string().max(320).meta({ title: 'User', description: 'Who sends.' }).optional(),
      password: z.string().max(1_000).meta({ title: 'Password', description: 'Sent over TLS alone.' }).optional(),
      from: z.string().min(3).max(320).meta({ title: 'From', description: 'The sender of mails.' }),
    })
    .meta({ title: 'Mail', description: 'The SMTP server that mails are sent by. Without it there are none.' })
    .optional(),
  mailTo: z
    .array(
      z.string().regex(/^(?:\*|[^\s@]*@[^\s@]+)$/, { error: 'must be an address, a domain as `@example.com`, or `*`' }),
    )
    .max(10_000)
    .meta({
      title: 'Recipients',
      description:
        'Who may be sent mails: addresses and domains (`@example.com`) of your own team, and `*` for anyone else who confirms. Other recipients of monitors get none.',
      defaultText: 'nobody',
    })
    .default([]),
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .regex(/^[^?#@]+$/, { error: 'must be a URL such as https://example.com/web' })
    .meta({
      title: 'Public URL',
      description:
        'The URL of the server for its recipients, with the path before `/v2`. Mails have links to it: to confirm and to unsubscribe. Without it, nobody can confirm.',
    })
    .optional(),
  folder: z
    .string()
    .min(1)
    .meta({
      title: 'Folder',
      description: 'Where messages are written to files, one for each monitor that asks for it.',
    })
    .optional(),
})

/** Options of `monitors`. */
export type MonitorsOptions = Readonly<z.input<typeof monitorsOptionsSchema>>

/** Options of `monitors`, with defaults applied. */
export type GivenOptions = z.output<typeof monitorsOptionsSchema>
