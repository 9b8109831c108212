// Test data: elements and pages as the inspector returns them.
import type { Digest, SeenElement } from './seen.ts'

/** Returns a button named "Send", with overrides. */
export const seen = (given: Partial<SeenElement> = {}): SeenElement => ({
  ...{ role: 'button', name: 'Send', label: '', text: '', attributes: {}, before: '', after: '', row: [] },
  ...{ path: 'form/button', frame: {}, alone: '', state: {}, ...given },
})

/** Returns an empty page, with overrides. */
export const digest = (given: Partial<Digest> = {}): Digest => ({
  ...{ url: 'https://shop.test/', title: 'Shop', signs: [], texts: [], controls: [], ...given },
})
