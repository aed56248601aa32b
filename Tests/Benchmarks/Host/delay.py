# SPDX-License-Identifier: Apache-2.0
"""delay.py FROM TO MILLISECONDS: passes connections at the socket FROM on to the socket TO, and delivers everything half
of the given time later in each direction, so that it is the round trip."""
import asyncio
import sys

source, target, milliseconds = sys.argv[1], sys.argv[2], float(sys.argv[3])


class Side(asyncio.Protocol):
    def __init__(self, other=None):
        self.other, self.transport, self.waiting = other, None, []

    def connection_made(self, transport):
        self.transport = transport
        if self.other is None:
            asyncio.ensure_future(self.connect())

    async def connect(self):
        _, self.other = await loop.create_unix_connection(lambda: Side(self), target)
        for data in self.waiting:
            self.data_received(data)

    def data_received(self, data):
        if self.other is None:
            self.waiting.append(data)
        else:
            loop.call_later(milliseconds / 2000, self.other.transport.write, data)

    def connection_lost(self, _):
        if self.other is not None:
            loop.call_later(milliseconds / 2000, self.other.transport.close)


async def main():
    await (await loop.create_unix_server(Side, source)).serve_forever()


loop = asyncio.new_event_loop()
loop.run_until_complete(main())
