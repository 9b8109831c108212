// Elements and pages as tests see them.
import type { Digest, SeenElement } from './seen.ts'

/** A button named "Send", but for what is given. */
export const seen = (given: Partial<SeenElement> = {}): SeenElement => ({
  ...{ role: 'button', name: 'Send', label: '', text: '', attributes: {}, before: '', after: '', row: [] },
  ...{ path: 'form/button', frame: {}, alone: '', state: {}, ...given },
})

/** A page that shows nothing, but for what is given. */
export const digest = (given: Partial<Digest> = {}): Digest => ({
  ...{ url: 'https://shop.test/', title: 'Shop', signs: [], texts: [], controls: [], ...given },
})
