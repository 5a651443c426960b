/** The SHA-256 digest in hexadecimal. */
export async function digest(bytes: Uint8Array): Promise<string> {
  const { subtle } = Object(globalThis.crypto) as Partial<Crypto>
  const hash = subtle
    ? new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
    : sha256(bytes)
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** For pages without https, and React Native, which have no `crypto.subtle`. FIPS 180-4. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const { length } = bytes
  const padded = new Uint8Array(((length + 8) >> 6) * 64 + 64)
  padded.set(bytes)
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29))
  view.setUint32(padded.length - 4, length << 3)
  const [constants, state] = createConstants()
  const words = new Int32Array(64)
  const at = (index: number) => words[index] as number
  const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by))
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let i = 0; i < 64; i++) {
      words[i] =
        i < 16
          ? view.getInt32(offset + i * 4)
          : (at(i - 16) +
              (turn(at(i - 15), 7) ^ turn(at(i - 15), 18) ^ (at(i - 15) >>> 3)) +
              at(i - 7) +
              (turn(at(i - 2), 17) ^ turn(at(i - 2), 19) ^ (at(i - 2) >>> 10))) |
            0
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    for (let i = 0; i < 64; i++) {
      const one =
        (h +
          (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
          ((e & f) ^ (~e & g)) +
          (constants[i] as number) +
          at(i)) |
        0
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries())
      state[index] = ((state[index] as number) + word) | 0
  }
  const hash = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) hash.setInt32(index * 4, word)
  return new Uint8Array(hash.buffer)
}

/** The first bits of the fractional parts of the cube roots and square roots of the first primes. */
function createConstants(): readonly [cubes: readonly number[], squares: number[]] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < 64; candidate++)
    if (primes.every((prime) => candidate % prime)) primes.push(candidate)
  const bits = (root: number) => ((root % 1) * 2 ** 32) | 0
  return [
    primes.map((prime) => bits(Math.cbrt(prime))),
    primes.slice(0, 8).map((prime) => bits(Math.sqrt(prime))),
  ]
}
