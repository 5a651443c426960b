import { connect } from 'node:net'
import { NUMBER_MARK } from './driver.ts'
import type { Answer } from './floor-server.ts'
import { createResponseReader, statusOf } from './read-responses.ts'

/** Headers that every server sets itself. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive'])

/** The responses of a server to these requests, for another server to repeat. */
export function captureAnswers(url: string, requests: readonly string[]): Promise<readonly Answer[]> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    const answers: Answer[] = []
    function sendNext(): void {
      const request = requests[answers.length]
      if (request !== undefined) return void socket.write(request.replaceAll(NUMBER_MARK, someNumber))
      socket.destroy()
      resolve(answers)
    }
    const read = createResponseReader((head, body) => {
      answers.push({ status: statusOf(head), headers: headersOf(head), body: body() })
      sendNext()
    })
    socket.on('data', read)
    socket.on('error', reject)
    sendNext()
  })
}

function headersOf(head: string): readonly string[] {
  const [, ...lines] = head.split('\r\n')
  return lines.flatMap((line) => {
    const [name = '', ...value] = line.split(': ')
    return OWN_HEADERS.has(name.toLowerCase()) ? [] : [name, value.join(': ')]
  })
}

function someNumber(): string {
  return String(Math.floor(Math.random() * 10 ** NUMBER_MARK.length)).padStart(NUMBER_MARK.length, '0')
}
