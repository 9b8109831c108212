import { z } from 'zod'

const text = z.string().max(10_000)
const ref = z.string().max(20).describe('A reference of the last snapshot, such as e5.')
const kind = <Type extends string>(type: Type, about: string) =>
  z.object({ type: z.literal(type).describe(about) }).strict()

/** Actions that a model may perform on a page. None of them runs code, opens local files or leaves the browser. */
export const taskActionSchema = z.discriminatedUnion('type', [
  kind('click', 'Clicks an element.').extend({ ref }),
  kind('fill', 'Replaces the text of a field. A secret is filled in by its placeholder, and nothing beside it.').extend(
    {
      ref,
      text,
    },
  ),
  kind('type', 'Types a text into the field that has the focus.').extend({ text }),
  kind('press', 'Presses a key, such as Enter, Escape or Control+a.').extend({ key: z.string().max(50) }),
  kind('select', 'Chooses an option of a list by its words.').extend({ ref, option: z.string().max(500) }),
  kind('scroll', 'Moves the page by about what is in sight.').extend({ direction: z.enum(['up', 'down']) }),
  kind('goto', 'Opens an address of the same site.').extend({ url: z.string().max(2_000) }),
  kind('back', 'Goes back to the page before.'),
  kind('wait', 'Waits for the page, at most five seconds.').extend({ ms: z.int().min(0).max(5_000) }),
])

/** An action of a model in a live browser. */
export type TaskAction = z.output<typeof taskActionSchema>
