import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { problemOfAddress, proposeByService } from '../../../client/src/preview/region-service.ts';

const picture = { png: 'iVBORw0KGgo=', width: 10, height: 20 };

interface Asked {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

describe('a region service', () => {
  let server: Server;
  let url = '';
  let asked: Asked[] = [];
  let reply: (response: ServerResponse) => void = () => undefined;
  before(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        asked.push({ method: request.method, headers: request.headers, body });
        reply(response);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/regions`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => (asked = []));

  const json = (answer: unknown) => (response: ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  };
  const problemOf = async (timeoutMs?: number): Promise<string | null> => {
    const { proposals, problem } = await proposeByService({ url, token: undefined }, picture, ['table'], timeoutMs);
    assert.deepEqual(proposals, []);
    return problem;
  };

  it('gets the page, the labels and its token, and is believed what it proposes', async () => {
    reply = json({
      regions: [
        { left: 0.5, top: 0.5, width: 0.25, height: 0.25, label: 'cat' },
        { left: 0.1, top: 0.2, width: 0.3, height: 0.4, label: 'table', score: 0.974 },
      ],
    });
    const { proposals, problem } = await proposeByService({ url, token: 'secret' }, picture, ['table', 'text']);
    assert.equal(problem, null);
    assert.deepEqual(
      proposals.map(({ label, says }) => [label, says]),
      [
        ['table', 'table, 97 % sure'],
        [null, 'region'],
      ],
    );
    assert.deepEqual(proposals[1]?.place, { left: 0.5, top: 0.5, width: 0.25, height: 0.25 });
    assert.equal(asked.length, 1);
    const [{ method, headers, body }] = asked as [Asked];
    assert.equal(method, 'POST');
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers.authorization, 'Bearer secret');
    assert.deepEqual(JSON.parse(body), { version: 1, page: picture, labels: ['table', 'text'] });
  });

  it('gets no token where there is none', async () => {
    reply = json({ regions: [] });
    assert.equal(await problemOf(), null);
    assert.equal(asked[0]?.headers.authorization, undefined);
  });

  it('is told of when its answer has another form', async () => {
    reply = json({ regions: [{ left: 0.5, top: 0, width: 0.6, height: 0.1 }] });
    assert.equal(await problemOf(), 'The region service: Region 1 of the answer reaches beyond the page.');
    reply = json({ boxes: [] });
    assert.equal(await problemOf(), 'The region service: The answer has no list of "regions".');
    reply = (response) => response.end('<html>');
    assert.equal(await problemOf(), 'The region service: The answer has no list of "regions".');
  });

  it('is told of when it refuses or fails', async () => {
    for (const [status, says] of [
      [401, /refuses the request \(401\)/],
      [403, /refuses the request \(403\)/],
      [500, /answers with status 500/],
    ] as const) {
      reply = (response) => response.writeHead(status).end('no');
      assert.match((await problemOf()) ?? '', says);
    }
  });

  it('is not followed to another address', async () => {
    reply = (response) => response.writeHead(307, { location: `${url}/elsewhere` }).end();
    assert.equal(await problemOf(), 'The region service sends on to another address; set that one.');
    assert.equal(asked.length, 1);
  });

  it('is not listened to for longer than its time, before or in its answer', async () => {
    reply = () => undefined;
    assert.equal(await problemOf(50), 'The region service did not answer within 0.05 seconds.');
    reply = (response) => void response.write('{"regions": [');
    assert.equal(await problemOf(50), 'The region service did not answer within 0.05 seconds.');
  });

  it('is not listened to when its answer has no end', async () => {
    let isClosed = Promise.resolve();
    reply = (response) => {
      isClosed = once(response, 'close').then(() => undefined);
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    assert.equal(await problemOf(), 'The answer of the region service is larger than 4 MB.');
    await isClosed;
  });

  it('is told of when nobody listens', async () => {
    const { problem } = await proposeByService({ url: 'http://127.0.0.1:1/', token: undefined }, picture, []);
    assert.match(problem ?? '', /^The region service at 127\.0\.0\.1:1 cannot be reached: .+\.$/);
  });

  it('has an address of http or https without a password', async () => {
    assert.equal(problemOfAddress('http://localhost:8000/a'), null);
    assert.equal(problemOfAddress('https://example.org'), null);
    for (const wrong of ['file:///etc/passwd', 'data:application/json,{}', 'localhost:8000', 'sam']) {
      assert.match(problemOfAddress(wrong) ?? '', /no http or https URL/, wrong);
    }
    assert.match(problemOfAddress('https://me:secret@example.org') ?? '', /no name and password/);
    const { problem } = await proposeByService({ url: 'file:///etc/passwd', token: 'x' }, picture, []);
    assert.match(problem ?? '', /no http or https URL/);
  });
});
