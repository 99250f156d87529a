import { expect, test } from 'vitest'
import { takeMessages } from './event-stream.ts'

test('messages come whole, however they are cut; comments and what nobody knows are passed over', () => {
  const text = [
    'id: run:1\ndata: {"changed":["users"]}',
    ':',
    'data: {"changed":"all"}',
    'data: {"changed":["a later topic"]}',
    'data: no json',
    'event: other',
  ].join('\n\n')
  const whole = takeMessages(`${text}\n\nid: run:2\nda`)
  expect(whole).toEqual({
    messages: [
      { id: 'run:1', event: { changed: ['users'] } },
      { id: undefined, event: { changed: 'all' } },
    ],
    rest: 'id: run:2\nda',
  })
  const messages = []
  let rest = ''
  for (const piece of `${text}\n\n`) {
    const taken = takeMessages(rest + piece)
    messages.push(...taken.messages)
    rest = taken.rest
  }
  expect(messages).toEqual(whole.messages)
})
