import { z } from 'zod'

/** The name of a profile, which must be usable in URL paths. */
export const profileName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\u0000-\u001f/]+$/, 'must not contain slashes or control characters')

/** The option `profile` of scrapes and live browsers. */
export const profileOption = z
  .strictObject({
    name: profileName.meta({ title: 'Name', description: 'The name of the profile, within the team.' }),
    saveChanges: z
      .boolean()
      .meta({
        title: 'Save changes',
        description: 'Saves the cookies and storage after the actions of a scrape, and when a live browser ends.',
      })
      .default(true),
  })
  .meta({
    id: 'BrowserProfile',
    title: 'Browser profile',
    description: 'Starts with the saved cookies and storage of an earlier browser. Turns off the cache.',
    needs: 'a browser',
    group: 'Browser',
  })
  .optional()
