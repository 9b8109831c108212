import { z } from 'zod'

const maxEntries = 1_000
const maxHostLength = 253

/** Characters that a host cannot contain, such as separators of ports and paths. */
const notOfHosts = /[\s/\\:@?#*]/

function isHost(host: string): boolean {
  return host.length <= maxHostLength && !notOfHosts.test(host) && URL.canParse(`http://${host}`)
}

// IPv6 addresses have colons, so they are recognized by their brackets.
function isIpv6(host: string): boolean {
  return /^\[[\da-f:.]+\]$/.test(host) && URL.canParse(`http://${host}`)
}

/** A host with its subdomains, or `*.host` for its subdomains only. */
const hostEntry = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .superRefine((entry, context) => {
    if (isIpv6(entry) || isHost(entry.replace(/^\*\./, ''))) return
    const message = `${JSON.stringify(entry.slice(0, 300))} must be a host such as example.com or *.example.com, without scheme, port and path`
    context.addIssue({ code: 'custom', message })
  })

const tldEntry = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .superRefine((entry, context) => {
    if (/^(?:[a-z\d]{1,63}|xn--[a-z\d-]{1,59})$/.test(entry)) return
    const message = `${JSON.stringify(entry.slice(0, 100))} must be a top-level domain without a dot, such as zip`
    context.addIssue({ code: 'custom', message })
  })

const refusedModes: Readonly<Record<string, string>> = {
  normal: '`normal` needs a classifier of URLs, which Harvestman does not have. Use `manual-only` with your own lists.',
  zscaler: '`zscaler` needs a service of that vendor, which Harvestman does not use. Use `manual-only`.',
}

const choice = z
  .strictObject({
    mode: z
      .enum(['off', 'manual-only', 'normal', 'zscaler'])
      .superRefine((mode, context) => {
        const message = refusedModes[mode]
        if (message !== undefined) context.addIssue({ code: 'custom', message })
      })
      .meta({
        title: 'Mode',
        description: '`manual-only` applies the lists, `off` does not. `normal` and `zscaler` are not available.',
      })
      .default('manual-only'),
    blacklist: z
      .array(hostEntry)
      .max(maxEntries)
      .meta({
        title: 'Blocked hosts',
        description: 'Hosts that are not visited, with their subdomains. `*.host` means only the subdomains.',
      })
      .default([]),
    whitelist: z
      .array(hostEntry)
      .max(maxEntries)
      .meta({ title: 'Allowed hosts', description: 'Hosts that are visited although another list blocks them.' })
      .default([]),
    blockedTlds: z
      .array(tldEntry)
      .max(maxEntries)
      .meta({ title: 'Blocked top-level domains', description: 'Top-level domains that are not visited, such as zip.' })
      .default([]),
    riskScoreThreshold: z
      .number()
      .min(0)
      .max(100)
      .meta({ title: 'Risk', description: 'Accepted for compatibility. The lists have no scores.', deprecated: true })
      .optional(),
    failurePolicy: z
      .enum(['open', 'closed'])
      .meta({ title: 'On failure', description: 'Accepted for compatibility. Lists cannot fail.', deprecated: true })
      .optional(),
  })
  .transform(({ mode, blacklist, whitelist, blockedTlds }) =>
    mode === 'off' ? undefined : { blacklist, whitelist, blockedTlds },
  )
  .meta({ id: 'ThreatProtection', title: 'Threat protection' })

/** The policy of a team. Its lists apply to all of its requests. */
export const threatPolicy = z.strictObject({
  ...choice.in.shape,
  allowRequestOverrides: z
    .boolean()
    .meta({
      title: 'Own lists',
      description: 'Allows a request to replace lists of the policy by its own.',
      whenFalse: 'Refuses requests with `threatProtection`.',
    })
    .default(true),
})

/** Hosts and top-level domains that a request must not visit. Parses to `undefined` if there are no rules. */
export const threatProtection = z
  .union([z.null().transform(() => undefined), z.literal(false).transform(() => undefined), choice])
  .meta({
    title: 'Threat protection',
    description: 'Blocks hosts and top-level domains: of the URL, of every redirect, and of the links that are found.',
    group: 'Network',
    forModels: false,
  })
  .optional()
