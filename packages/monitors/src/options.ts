import { z } from 'zod'

/** Options of `monitors`. */
export const monitorsOptionsSchema = z.strictObject({
  pollInterval: z
    .int()
    .min(1_000)
    .max(3_600_000)
    .meta({
      title: 'Poll interval',
      description: 'How often to look for due checks when none is known.',
      unit: 'ms',
    })
    .default(30_000),
  checksAtOnce: z
    .int()
    .min(1)
    .max(1_000)
    .meta({ title: 'Checks at once', description: 'Maximum number of checks that one engine runs at once.' })
    .default(8),
  mail: z
    .strictObject({
      host: z.string().min(1).max(253).meta({ title: 'Host', description: 'The mail server.' }),
      port: z
        .int()
        .min(1)
        .max(65_535)
        .meta({ title: 'Port', description: 'The port of the mail server.' })
        .default(587),
      secure: z
        .boolean()
        .meta({
          title: 'TLS',
          description: 'Uses TLS from the start. Otherwise, STARTTLS is used if the server offers it.',
        })
        .default(false),
      user: z.string().max(320).meta({ title: 'User', description: 'The user name.' }).optional(),
      password: z
        .string()
        .max(1_000)
        .meta({ title: 'Password', description: 'The password. Only sent over TLS.' })
        .optional(),
      from: z.string().min(3).max(320).meta({ title: 'From', description: 'The sender of mails.' }),
    })
    .meta({ title: 'Mail', description: 'The SMTP server for mails. Default: no mails are sent.' })
    .optional(),
  mailTo: z
    .array(
      z.string().regex(/^(?:\*|[^\s@]*@[^\s@]+)$/, { error: 'must be an address, a domain as `@example.com`, or `*`' }),
    )
    .max(10_000)
    .meta({
      title: 'Recipients',
      description:
        'Allowed recipients of mails: addresses and domains (`@example.com`) of your own team, and `*` for anyone else who confirms. Other recipients of monitors get no mails.',
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
      description: 'The folder for message files, one for each monitor that requests it.',
    })
    .optional(),
})

/** Options of `monitors`. */
export type MonitorsOptions = Readonly<z.input<typeof monitorsOptionsSchema>>

/** Options of `monitors`, with defaults applied. */
export type GivenOptions = z.output<typeof monitorsOptionsSchema>
