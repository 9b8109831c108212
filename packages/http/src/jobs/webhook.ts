// Undelivered webhook messages of a job, and their redelivery.
import { z } from 'zod'

import { route, success, type Route } from '../route/route.ts'
import type { Common } from './group.ts'

const unsent = z.object({
  event: z.string().describe('The id of the event in the job.'),
  webhookId: z.uuid().describe('The id in the message, which is the same in each attempt.'),
  tries: z.int(),
  nextTry: z.iso.datetime().optional(),
  error: z.string().optional().describe('The error of the last attempt.'),
})

const state = z.object({
  pending: z.array(unsent).describe('Messages that will be sent.'),
  dead: z.array(unsent).describe('Messages that were given up. They can be sent again.'),
  isStopped: z.boolean().describe('Whether the receiver responded with 410. It receives no more messages.'),
})

/** Returns the routes that list the undelivered webhook messages of a job, and that send them again. */
export function webhookRows(path: `/${string}`, common: Common): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: `${path}/{id}/webhook`,
      summary: `Lists the webhook messages of a ${common.group} that are not delivered.`,
      output: () => z.object({ success: z.literal(true), data: state }),
      run: async ({ engine, params, caller }) => {
        const { pending, dead, isStopped } = await (await engine.jobs.find(params['id'] ?? '', caller)).webhook()
        return success({ pending: [...pending], dead: [...dead], isStopped })
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: `${path}/{id}/webhook/redeliver`,
      summary: `Sends the undelivered webhook messages of a ${common.group} again.`,
      output: () => z.object({ success: z.literal(true), redelivered: z.int().describe('The number of messages.') }),
      run: async ({ engine, params, caller }) => {
        const job = await engine.jobs.find(params['id'] ?? '', caller)
        return { success: true as const, redelivered: await job.redeliver() }
      },
    }),
  ]
}
