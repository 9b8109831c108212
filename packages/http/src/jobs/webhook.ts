// Undelivered webhook messages of a job, and their redelivery.
import { z } from 'zod'

import { route, success, type Route } from '../route/route.ts'
import type { Common } from './group.ts'

const unsent = z.object({
  event: z.string().describe('Its id among the events of the job.'),
  webhookId: z.uuid().describe('The id under which the receiver knows it, at each try.'),
  tries: z.int(),
  nextTry: z.iso.datetime().optional(),
  error: z.string().optional().describe('Why it was not taken the last time.'),
})

const state = z.object({
  pending: z.array(unsent).describe('Those that will be tried.'),
  dead: z.array(unsent).describe('Those that were given up. They can be sent again.'),
  isStopped: z.boolean().describe('The receiver answered 410, and is sent nothing more.'),
})

/** Returns the webhook routes of a job. */
export function webhookRows(path: `/${string}`, common: Common): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: `${path}/{id}/webhook`,
      summary: `Lists the webhook messages of a ${common.group} that are not delivered.`,
      output: () => z.object({ success: z.literal(true), data: state }),
      run: async ({ engine, params, asker }) => {
        const { pending, dead, isStopped } = await (await engine.jobs.find(params['id'] ?? '', asker)).webhook()
        return success({ pending: [...pending], dead: [...dead], isStopped })
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: `${path}/{id}/webhook/redeliver`,
      summary: `Sends the undelivered webhook messages of a ${common.group} again.`,
      output: () => z.object({ success: z.literal(true), redelivered: z.int().describe('How many messages.') }),
      run: async ({ engine, params, asker }) => {
        const job = await engine.jobs.find(params['id'] ?? '', asker)
        return { success: true as const, redelivered: await job.redeliver() }
      },
    }),
  ]
}
