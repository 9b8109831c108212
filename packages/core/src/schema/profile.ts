import { z } from 'zod'

import { selector } from './selector.ts'

/** The name of a profile, which must be usable in URL paths. */
export const profileName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\u0000-\u001f/]+$/, 'must not contain slashes or control characters')

/** What only visitors who are logged in see. */
export const loggedInMarker = z
  .strictObject({
    selector: selector.optional().meta({
      title: 'Selector',
      description: 'A CSS selector of an element that only visitors who are logged in see.',
    }),
    text: z
      .string()
      .min(1)
      .max(500)
      .refine((value) => value.trim() !== '', 'must not be blank')
      .optional()
      .meta({
        title: 'Text',
        description: 'Text that only visitors who are logged in see. Upper and lower case are equal.',
      }),
  })
  .refine(({ selector: of, text }) => of !== undefined || text !== undefined, 'needs a selector or a text')
  .optional()
  .meta({
    id: 'LoggedInMarker',
    title: 'Marker',
    description:
      'What only visitors who are logged in see. A page without it fails with `logged_out`. Saved with the profile.',
  })

/** The option `profile` of scrapes and live browsers. */
export const profileOption = z
  .strictObject({
    name: profileName.meta({ title: 'Name', description: 'The name of the profile, within the team.' }),
    saveChanges: z
      .boolean()
      .meta({
        title: 'Save changes',
        description: 'Saves the changed cookies and storage after a scrape, and when a live browser ends.',
      })
      .default(true),
    loggedInMarker,
  })
  .meta({
    id: 'BrowserProfile',
    title: 'Browser profile',
    description: 'Starts with the saved cookies and storage of an earlier browser. Turns off the cache.',
    group: 'Browser',
  })
  .optional()

/** The option `person` of pages. */
export const personOption = z
  .strictObject({
    timeout: z
      .int()
      .min(60)
      .max(82_800)
      .meta({
        title: 'Timeout',
        description: 'Seconds that the pages wait for the person. Then they fail.',
        unit: 's',
      })
      .default(3_600),
    webhook: z
      .string()
      .max(2_000)
      .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), { message: 'must be a URL' })
      .meta({
        title: 'Webhook',
        description: 'The URL that receives the link for the person. Default: the webhook of the server.',
      })
      .optional(),
  })
  .meta({
    id: 'Person',
    title: 'Ask a person',
    description:
      'If a page needs a person, for example because the login of its `profile` has expired, the pages of its host wait until a person has opened a link and is done. Requires `profile`.',
    needs: 'live browsers',
    group: 'Browser',
  })
  .optional()
